<?php
$moved = move_uploaded_file($_FILES['f']['tmp_name'], $_GET['to']);
echo $moved ? 'moved' : 'not moved';
