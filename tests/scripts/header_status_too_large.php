<?php
http_response_code(999);
echo 'body';
