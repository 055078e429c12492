<?php
ob_start(function (string $buffer): string {
    exit;
});
echo 'body';
