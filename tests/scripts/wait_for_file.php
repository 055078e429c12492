<?php
// Makes the file `started`, then waits for the file `go`.
touch($_GET['started']);
$end = microtime(true) + 15;
while (!file_exists($_GET['go'])) {
    if (microtime(true) > $end) {
        http_response_code(500);
        exit('nobody came');
    }
    usleep(1000);
    clearstatcache();
}
echo 'went';
