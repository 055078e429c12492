<?php
echo 'sent';
flush();
@header('X-Late: 1');
@http_response_code(404);
