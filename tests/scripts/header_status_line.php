<?php
header('HTTP/1.1 418 Teapot');
echo 'short and stout';
