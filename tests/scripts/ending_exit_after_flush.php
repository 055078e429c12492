<?php
echo 'first chunk';
flush();
exit(1);
