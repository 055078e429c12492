<?php
echo 'before';
exit(1);
