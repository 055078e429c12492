<?php
// Leaves state of every kind behind, and answers what it found of it.
$found = [];
if (defined('LEFT_BEHIND')) {
    $found[] = 'constant';
}
if (function_exists('left_behind')) {
    $found[] = 'function';
}
if (class_exists('LeftBehind', false)) {
    $found[] = 'class';
}
if (isset($GLOBALS['left_behind'])) {
    $found[] = 'global';
}
if (count(get_included_files()) !== 1) {
    $found[] = 'included files';
}
if (ini_get('precision') !== '14') {
    $found[] = 'ini';
}
if (mb_internal_encoding() !== 'UTF-8') {
    $found[] = 'encoding';
}
if (date_default_timezone_get() !== 'UTC') {
    $found[] = 'time zone';
}
// putenv() changes the environment of the process, which scripts on other threads see meanwhile.
if (!isset($_GET['threads']) && getenv('LEFT_BEHIND') !== false) {
    $found[] = 'environment';
}
if (error_reporting() !== (E_ALL & ~E_DEPRECATED)) {
    $found[] = 'error_reporting';
}
if (session_id() !== '' || isset($_SESSION)) {
    $found[] = 'session';
}
if (headers_list() !== array_filter(headers_list(), fn($h) => !str_contains($h, 'Left-Behind'))) {
    $found[] = 'header';
}
if (http_response_code() !== 200) {
    $found[] = 'status';
}
if (set_error_handler(fn() => true) !== null) {
    $found[] = 'error handler';
}
if (error_get_last() !== null) {
    $found[] = 'last error';
}
if (libxml_use_internal_errors(true)) {
    $found[] = 'libxml';
}
if (in_array('left', stream_get_wrappers(), true)) {
    $found[] = 'stream wrapper';
}
if (spl_autoload_functions() !== []) {
    $found[] = 'autoloader';
}
if (getcwd() !== __DIR__) {
    $found[] = 'working directory';
}
if (ob_get_level() !== (ini_get('output_buffering') > 0 ? 1 : 0)) {
    $found[] = 'output buffer';
}

define('LEFT_BEHIND', 1);
eval('function left_behind() { static $calls = 0; return ++$calls; } class LeftBehind { public static $n = 0; }');
if (left_behind() !== 1) {
    $found[] = 'static variable';
}
if (++LeftBehind::$n !== 1) {
    $found[] = 'static member';
}
$GLOBALS['left_behind'] = 1;
include __DIR__ . '/nothing.inc';
ini_set('precision', '5');
mb_internal_encoding('ISO-8859-1');
date_default_timezone_set('Asia/Tokyo');
putenv('LEFT_BEHIND=1');
error_reporting(E_ERROR);
header('X-Left-Behind: 1');
http_response_code(202);
stream_wrapper_register('left', LeftBehind::class);
spl_autoload_register(fn($class) => null);
chdir('/');
@trigger_error('left behind');
session_id('leftbehind');

ob_start();
echo $found === [] ? 'clean' : implode(', ', $found);
