<?php
for ($i = 0; $i < 64; ++$i) {
    header("X-Many-$i: " . str_repeat('m', 1000));
}
echo 'body';
