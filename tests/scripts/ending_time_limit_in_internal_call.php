<?php
set_time_limit(1);
$numbers = range(1, 300000);
while (true) {
    usort($numbers, fn($a, $b) => $b <=> $a);
}
