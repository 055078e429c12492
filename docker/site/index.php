<?php
declare(strict_types=1);

$info = ephpm_info();
$opcache = function_exists('opcache_get_status') ? opcache_get_status(false) : false;
$facts = [
    'ephpmd' => $info['version'],
    'Mode' => $info['mode'],
    'PHP' => PHP_VERSION . ' (' . (PHP_ZTS ? 'ZTS' : 'NTS') . ')',
    'PHP threads' => (string) $info['threads'],
    'OPcache' => $opcache && $opcache['opcache_enabled']
        ? sprintf('on, %d scripts, %.1f MB used', $opcache['opcache_statistics']['num_cached_scripts'],
            $opcache['memory_usage']['used_memory'] / 1e6)
        : 'off',
    'JIT' => !empty($opcache['jit']['on']) ? 'on' : 'off',
    'Upload limit' => ini_get('upload_max_filesize'),
    'Memory limit' => ini_get('memory_limit'),
    'Your address' => $_SERVER['REMOTE_ADDR'],
    'This page' => $_SERVER['REQUEST_URI'],
];

$uploads = [];
foreach ((array) ($_FILES['files']['name'] ?? []) as $i => $name) {
    $error = $_FILES['files']['error'][$i];
    if ($error === UPLOAD_ERR_NO_FILE) {
        continue;
    }
    $uploads[] = $error === UPLOAD_ERR_OK
        ? sprintf('%s: %s bytes, %s, SHA-256 %s', $name, number_format($_FILES['files']['size'][$i]),
            mime_content_type($_FILES['files']['tmp_name'][$i]),
            hash_file('sha256', $_FILES['files']['tmp_name'][$i]))
        : sprintf('%s: not received (error %d)', $name, $error);
}

$e = static fn (string $text): string => htmlspecialchars($text, ENT_QUOTES | ENT_SUBSTITUTE);
?>
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>ephpmd serves PHP</title>
<link rel="stylesheet" href="/style.css">
</head>
<body>
<main>
<h1>ephpmd serves PHP</h1>
<p>One program in place of nginx, PHP-FPM and Redis. This page ran inside it.</p>
<table>
<?php foreach ($facts as $name => $value): ?>
<tr><th scope="row"><?= $e($name) ?></th><td><?= $e((string) $value) ?></td></tr>
<?php endforeach ?>
</table>
<h2>Try an upload</h2>
<form method="post" enctype="multipart/form-data" action="/">
<label>Your name <input name="name" maxlength="80"></label>
<label>Files <input type="file" name="files[]" multiple></label>
<button>Send</button>
</form>
<?php if (($_POST['name'] ?? '') !== ''): ?>
<p class="answer">Hello, <?= $e((string) $_POST['name']) ?>.</p>
<?php endif ?>
<?php foreach ($uploads as $upload): ?>
<p class="answer"><?= $e($upload) ?></p>
<?php endforeach ?>
<p class="footer">Served in <?= number_format((microtime(true) - $_SERVER['REQUEST_TIME_FLOAT']) * 1000, 2) ?> ms.</p>
</main>
</body>
</html>
