<?php
header('X-Tight:value');
header('X-Empty:');
header('X-Long: ' . str_repeat('l', 8000));
header("X-Latin: caf\xe9");
