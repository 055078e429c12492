<?php
function r($n)
{
    return $n ? array_map('r', [$n - 1])[0] : 0;
}
try {
    r(1000000);
} catch (Error $e) {
    echo 'caught: ', $e->getMessage();
}
