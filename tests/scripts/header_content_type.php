<?php
header('Content-Type: ' . $_GET['type']);
echo '{}';
