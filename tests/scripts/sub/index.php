<?php
echo json_encode([
    'index_of' => 'sub',
    'script' => $_SERVER['SCRIPT_NAME'],
    'uri' => $_SERVER['REQUEST_URI'],
    'self' => $_SERVER['PHP_SELF'],
]);
