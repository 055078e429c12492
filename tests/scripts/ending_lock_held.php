<?php
// Takes the lock, then ends by the kind of ending that `how` names.
$lock = fopen($_GET['file'], 'c');
if (!flock($lock, LOCK_EX | LOCK_NB)) {
    exit('busy');
}
if (($_GET['how'] ?? '') === 'fatal') {
    throw new RuntimeException('with a lock in hand');
}
if (($_GET['how'] ?? '') === 'timeout') {
    set_time_limit(1);
    while (true) {
    }
}
echo 'locked';
