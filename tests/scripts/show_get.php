<?php
echo json_encode($_GET);
