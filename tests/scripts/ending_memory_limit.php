<?php
ini_set('memory_limit', '8M');
echo 'x';
$all = [];
while (true) {
    $all[] = str_repeat('m', 100000);
}
