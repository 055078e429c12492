<?php
require 'wait_for_go.inc';
ini_set('memory_limit', '8M');
echo 'first chunk';
flush();
wait_for_go();
$block = str_repeat('m', 64 << 20);
