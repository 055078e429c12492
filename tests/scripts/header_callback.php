<?php
header_register_callback(fn() => header('X-From-Callback: yes'));
echo 'body';
