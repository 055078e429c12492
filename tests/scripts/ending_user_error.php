<?php
echo 'before';
@trigger_error('the application gives up', E_USER_ERROR);
echo 'not reached';
