<?php
set_exception_handler(function (Throwable $e): void {
    http_response_code(503);
    echo 'handled ', $e->getMessage();
});
throw new RuntimeException('x');
