<?php
// Writes `count` MiB in pieces of 64 KiB; each byte tells its piece.
for ($i = 0; $i < 16 * (int) $_GET['count']; ++$i) {
    echo str_repeat(chr(65 + $i % 26), 65536);
}
