<?php
echo 'before';
throw new RuntimeException('nobody catches this');
