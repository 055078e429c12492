<?php
// Frees a list of 40,000 links, which PHP does by recursion: as deep as the main thread's stack
// allows it elsewhere.
$list = null;
for ($i = 0; $i < 40000; ++$i) {
    $list = [$list];
}
unset($list);
echo 'freed';
