<?php
// The first callback is interrupted by a fatal error while output is locked.
register_shutdown_function(fn() => ob_start(fn($buffer) => $buffer));
ob_start(function ($buffer) {
    ob_start();
    return $buffer;
}, 1);
echo 'x';
