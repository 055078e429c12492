#!/usr/bin/env bash
# Makes *_arginfo.h from *.stub.php with PHP's own generator. Run it after changing a stub; the result
# is committed, so that a build needs neither PHP nor Composer.
#
#   sapi/functions/generate.sh PHP_SOURCE_FOLDER
#
# Needs php and composer (for the parser library that the generator uses).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source=${1:?"usage: $0 PHP_SOURCE_FOLDER"}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$source/build/gen_stub.php" "$work/"
(cd "$work" && composer require --quiet --no-plugins 'nikic/php-parser:^5.0')
# The folder that the generator would download the parser into.
parser=$(sed -n 's/^ *\$version = "\([0-9.]*\)";.*/\1/p' "$work/gen_stub.php" | tail -n 1)
cp -r "$work/vendor/nikic/php-parser" "$work/PHP-Parser-$parser"
for stub in "$here"/*.stub.php; do php "$work/gen_stub.php" "$stub"; done
