<?php
// Waits until `count` requests are here at the same time: each is on a PHP thread of its own.
tempnam($_GET['folder'], 'guest');
$end = microtime(true) + 15;
do {
    $guests = count(scandir($_GET['folder'])) - 2;
    if ($guests >= (int) $_GET['count']) {
        echo 'met';
        exit;
    }
    usleep(1000);
} while (microtime(true) < $end);
http_response_code(500);
echo "only $guests came";
