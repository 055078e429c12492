<?php
echo json_encode([
    'getenv' => getenv($_GET['name']),
    'local' => getenv($_GET['name'], true),
    'server' => $_SERVER[$_GET['name']] ?? null,
]);
