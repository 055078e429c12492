<?php
// Writes until the client is gone; what happens then is told in the file `told`.
register_shutdown_function(function (): void {
    file_put_contents($_GET['told'], connection_aborted() ? 'aborted' : 'not aborted');
});
$end = microtime(true) + 15;
while (microtime(true) < $end) {
    echo str_repeat('x', 10000);
    flush();
}
