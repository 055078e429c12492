<?php
header('X-Gone: 1');
header_remove('X-Gone');
header_remove('X-Powered-By');
echo 'body';
