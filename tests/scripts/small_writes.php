<?php
for ($i = 0; $i < 20000; ++$i) {
    echo $i, ' ';
}
