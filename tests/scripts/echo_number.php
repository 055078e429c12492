<?php
echo 'number ', $_GET['n'];
