<?php
echo basename(__DIR__);
