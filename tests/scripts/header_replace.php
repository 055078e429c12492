<?php
header('X-Y: 1', false);
header('X-Y: 2', false);
header('x-y: 3');
