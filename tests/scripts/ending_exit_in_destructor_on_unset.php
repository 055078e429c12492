<?php
class Leaves
{
    public function __destruct()
    {
        exit('destructor');
    }
}
$kept = new Leaves();
$kept = null;
echo 'not reached';
