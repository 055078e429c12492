<?php
$status = opcache_get_status(false);
echo json_encode([
    'sapi' => PHP_SAPI,
    'enabled' => $status['opcache_enabled'] ?? false,
    'hits' => $status['opcache_statistics']['hits'] ?? null,
    'restarts' => ($status['opcache_statistics']['manual_restarts'] ?? 0)
        + ($status['opcache_statistics']['oom_restarts'] ?? 0)
        + ($status['opcache_statistics']['hash_restarts'] ?? 0),
]);
