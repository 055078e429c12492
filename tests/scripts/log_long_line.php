<?php
error_log('start-' . str_repeat('l', 60000) . '-end');
echo 'logged';
