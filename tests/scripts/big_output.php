<?php
echo str_repeat('x', (int) $_GET['size']);
