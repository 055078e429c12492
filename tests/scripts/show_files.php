<?php
foreach ($_FILES as &$file) {
    if (is_array($file['tmp_name'])) {
        unset($file['tmp_name']);
    } else {
        $file['is_uploaded'] = is_uploaded_file($file['tmp_name']);
        $file['content'] = $file['tmp_name'] === '' ? null : md5_file($file['tmp_name']);
        unset($file['tmp_name']);
    }
}
echo json_encode(
    ['files' => $_FILES, 'post' => $_POST, 'input' => file_get_contents('php://input')],
    JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES
);
