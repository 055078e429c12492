<?php
ignore_user_abort(true);
$end = microtime(true) + 15;
while (!connection_aborted() && microtime(true) < $end) {
    echo str_repeat('x', 10000);
    flush();
}
file_put_contents($_GET['told'], 'went on to the end');
