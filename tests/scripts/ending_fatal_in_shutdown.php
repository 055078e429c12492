<?php
register_shutdown_function(function (): void {
    function_that_does_not_exist();
});
echo 'body';
