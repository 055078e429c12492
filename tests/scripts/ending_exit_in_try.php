<?php
try {
    exit('left');
} catch (\Throwable $caught) {
    echo 'caught ', get_class($caught);
} finally {
    echo 'finally';
}
