<?php
echo ini_get($_GET['name']);
