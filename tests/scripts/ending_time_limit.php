<?php
register_shutdown_function(function (): void {
    echo 'shutdown', http_response_code();
});
set_time_limit(1);
echo 'x';
while (true) {
}
