<?php
echo json_encode(['argv' => $_SERVER['argv'] ?? null, 'argc' => $_SERVER['argc'] ?? null]);
