<?php
// Dies once the client has the first piece, which it tells by the file `go`.
require 'wait_for_go.inc';
echo 'first chunk';
flush();
wait_for_go();
throw new RuntimeException('too late for a status');
