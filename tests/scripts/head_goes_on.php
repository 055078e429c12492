<?php
echo 'x';
flush();
file_put_contents($_GET['told'], 'ran to the end');
