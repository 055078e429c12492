<?php
header('X-Y: 1', false);
header('X-Y: 2', false);
for ($i = 0; $i < 4; ++$i) {
    setcookie("c$i", "v$i");
}
