<?php
header('Location: /there');
