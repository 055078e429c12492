<?php
// Sends a first piece at once, and a second one when the file `go` has appeared.
echo 'first';
flush();
$end = microtime(true) + 15;
while (!file_exists($_GET['go']) && microtime(true) < $end) {
    usleep(1000);
    clearstatcache();
}
echo 'second';
