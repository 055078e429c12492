<?php
ob_start(function (string $buffer): string {
    throw new LogicException('from an output callback');
});
echo 'body';
