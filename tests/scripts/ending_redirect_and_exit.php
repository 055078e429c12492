<?php
register_shutdown_function(function (): void {
    echo 'S', http_response_code();
});
header('Location: /elsewhere');
setcookie('one', '1');
setcookie('two', '2');
ob_start();
echo 'buf';
exit;
