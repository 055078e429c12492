<?php
@header("X-A: b\r\nSet-Cookie: evil=1");
echo 'done';
