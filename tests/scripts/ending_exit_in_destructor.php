<?php
class Leaves
{
    public function __destruct()
    {
        echo ' destructor';
        exit;
    }
}
$kept = new Leaves();
echo 'body';
