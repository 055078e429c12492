<?php
// All of $_SERVER that comes from the request, as JSON; bytes that are not UTF-8 are replaced.
echo json_encode($_SERVER, JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES);
