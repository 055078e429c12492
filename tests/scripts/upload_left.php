<?php
// Leaves the uploaded file where it is: PHP removes it. Answers its path.
echo $_FILES['f']['tmp_name'], file_exists($_FILES['f']['tmp_name']) ? '' : ' is missing';
