<?php
error_log('<' . str_repeat($_GET['letter'], 8000) . '>');
echo 'logged';
