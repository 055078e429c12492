<?php
echo ob_get_level();
