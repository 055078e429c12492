<?php
file_put_contents('php://stdout', "straight to standard output\n");
echo 'not in the log';
