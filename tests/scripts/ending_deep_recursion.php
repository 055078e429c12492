<?php
function r($n)
{
    return $n ? array_map('r', [$n - 1])[0] : 0;
}
echo r(50000);
