<?php
function inner(): void
{
    $held = fopen(__FILE__, 'r');
    die('died inside');
}
array_map(fn() => inner(), [1]);
echo 'not reached';
