<?php
ini_set('implicit_flush', '1');
ob_implicit_flush();
echo 'one ';
echo 'two';
