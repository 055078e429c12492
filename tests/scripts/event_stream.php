<?php
// Server-sent events, each sent when the file of its number has appeared.
header('Content-Type: text/event-stream');
for ($i = 1; $i <= 5; ++$i) {
    $end = microtime(true) + 15;
    while (!file_exists($_GET['go'] . $i) && microtime(true) < $end) {
        usleep(1000);
        clearstatcache();
    }
    echo "data: $i\n\n";
    @ob_flush();
    flush();
}
