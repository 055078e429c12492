<?php
echo json_encode([
    'first' => file_get_contents('php://input'),
    'second' => file_get_contents('php://input'),
    'post' => $_POST,
]);
