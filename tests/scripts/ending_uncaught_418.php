<?php
http_response_code(418);
throw new RuntimeException('nobody catches this');
