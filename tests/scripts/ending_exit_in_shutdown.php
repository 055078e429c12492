<?php
register_shutdown_function(function (): void {
    echo ' first';
    exit;
});
register_shutdown_function(function (): void {
    echo ' second';
});
echo 'body';
