<?php
echo 'before ', $undefined, 'after';
