<?php
include 'sub/included.php';
echo ' ', basename(getcwd());
