<?php
session_save_path($_GET['folder']);
session_start();
$_SESSION['count'] = ($_SESSION['count'] ?? 0) + 1;
$_SESSION['who'] ??= $_GET['who'] ?? 'nobody';
echo $_SESSION['who'], ' ', $_SESSION['count'];
