<?php
function_that_does_not_exist();
