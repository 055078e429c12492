<?php
echo 'whole answer';
$first = fastcgi_finish_request();
echo 'dropped';
flush();
$second = fastcgi_finish_request();
while (!file_exists($_GET['go'])) {
    usleep(1000);
    clearstatcache();
}
file_put_contents($_GET['told'], json_encode([$first, $second, connection_status()]));
