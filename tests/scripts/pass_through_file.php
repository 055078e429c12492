<?php
header('Content-Length: ' . filesize($_GET['file']));
readfile($_GET['file']);
