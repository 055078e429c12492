<?php
header('Content-Length: ' . $_GET['says']);
echo str_repeat('x', (int) $_GET['writes']);
