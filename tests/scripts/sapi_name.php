<?php
echo PHP_SAPI, ' ', php_sapi_name(), ' ', PHP_ZTS;
