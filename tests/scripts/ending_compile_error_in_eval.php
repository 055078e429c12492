<?php
echo 'before';
eval('class Twice {} class Twice {}');
echo 'not reached';
