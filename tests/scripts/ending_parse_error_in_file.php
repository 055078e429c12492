<?php
echo 'never runs'
this is not PHP;
