<?php
register_shutdown_function(function (): void {
    echo ' shut';
});
ob_start();
echo 'hello';
