<?php
function numbers()
{
    try {
        yield 1;
        yield 2;
    } finally {
        echo ' finally';
    }
}
foreach (numbers() as $number) {
    echo $number;
    exit;
}
