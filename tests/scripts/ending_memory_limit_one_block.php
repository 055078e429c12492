<?php
ini_set('memory_limit', '8M');
$block = str_repeat('m', 64 << 20);
