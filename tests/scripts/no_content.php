<?php
http_response_code((int) $_GET['status']);
echo 'a body that must not be sent';
