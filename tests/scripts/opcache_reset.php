<?php
echo opcache_reset() ? 'reset' : 'refused';
