<?php
if (!headers_sent()) {
    header('HTTP/1.1 500 Internal Server Error');
}
echo '<pre>dumped</pre>';
exit(1);
