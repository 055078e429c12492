<?php
file_put_contents('php://stderr', "straight to standard error\n");
echo 'logged';
