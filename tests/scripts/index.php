<?php
// The front controller: answers every path that is neither a file nor a folder with an index.
header('Content-Type: application/json');
echo json_encode([
    'front' => true,
    'uri' => $_SERVER['REQUEST_URI'],
    'script' => $_SERVER['SCRIPT_NAME'],
    'path_info' => $_SERVER['PATH_INFO'] ?? null,
    'query' => $_SERVER['QUERY_STRING'],
]);
