<?php
try {
    eval('this is not PHP');
} catch (ParseError $e) {
    echo 'caught';
}
