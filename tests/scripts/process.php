<?php
// A child process of PHP: it sees the request's environment and gives its output back.
putenv('FOR_THE_CHILD=seen');
echo trim(shell_exec('echo $FOR_THE_CHILD'));
