<?php
echo json_encode($_COOKIE);
