<?php
@header('HTTP/');
echo 'fine';
