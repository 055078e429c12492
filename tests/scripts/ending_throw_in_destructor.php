<?php
class Throws
{
    public function __destruct()
    {
        throw new LogicException('from a destructor');
    }
}
$kept = new Throws();
echo 'body';
