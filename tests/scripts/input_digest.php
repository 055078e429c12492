<?php
// Reads the body as a stream and answers its size and digest.
$digest = hash_init('md5');
$size = 0;
$input = fopen('php://input', 'r');
while (!feof($input)) {
    $piece = fread($input, 65536);
    $size += strlen($piece);
    hash_update($digest, $piece);
}
echo $size, ' ', hash_final($digest);
