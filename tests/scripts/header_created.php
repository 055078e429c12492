<?php
http_response_code(201);
header('Location: /made');
