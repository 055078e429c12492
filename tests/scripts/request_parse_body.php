<?php
[$post, $files] = request_parse_body();
echo json_encode(['post' => $post, 'names' => array_column($files, 'name')]);
