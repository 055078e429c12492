<?php
for ($i = 0; $i < 50; ++$i) {
    ob_start();
    echo $i, ' ';
}
exit;
