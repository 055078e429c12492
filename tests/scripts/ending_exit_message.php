<?php
exit('bye');
