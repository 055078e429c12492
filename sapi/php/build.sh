#!/usr/bin/env bash
# Builds the PHP that ephpmd embeds, once per machine, into a prefix outside the tree.
#
#   build.sh                libphp.a (ZTS, static), opcache.so, php, php-config, phpize, headers
#   build.sh fpm            an NTS php-fpm and php of the same source, flags and extensions, which
#                           the benchmarks compare with
#   build.sh [fpm] --prefix only prints where that is, or would be
#
# The prefix is named after the version and a hash of all that goes into the build, so a change to
# a flag or a patch gives a new prefix and never a stale library. Whoever finds the prefix complete
# says nothing and returns at once.
#
#   EPHPM_CACHE        where prefixes, sources and logs live (default: ~/.cache/ephpm)
#   EPHPM_PHP_TARBALL  the source archive, or a folder that has it
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${EPHPM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ephpm}
read -r version sha256 <"$here/VERSION"

flavour=embed
only_prefix=no
for argument in "$@"; do
  case $argument in
    fpm) flavour=fpm ;;
    --prefix) only_prefix=yes ;;
    *) echo "usage: build.sh [fpm] [--prefix]" >&2; exit 2 ;;
  esac
done

# Position-dependent code: thread-local variables cost one instruction (local-exec) and the VM's
# tables need no relocation. libtool still compiles opcache.so as PIC, since its -fPIC comes later
# on the command line than ours. -g1 keeps line numbers in backtraces without the types.
cflags='-O2 -g1 -fno-pie -fstack-protector-strong'
ldflags='-no-pie'

common=(
  --disable-cgi --disable-phpdbg --disable-debug
  --with-config-file-path=/etc/ephpm
  --with-config-file-scan-dir=/etc/ephpm/php.d
  --enable-bcmath --enable-calendar --enable-exif --enable-ftp --enable-intl --enable-mbstring
  --enable-opcache --enable-pcntl --enable-soap --enable-sockets
  --enable-gd --with-freetype --with-jpeg --with-webp
  --with-curl --with-gettext --with-libedit --with-openssl --with-sodium --with-xsl --with-zip --with-zlib
  --with-mysqli --with-pdo-mysql --with-mysql-sock=/run/mysqld/mysqld.sock
  --with-pgsql --with-pdo-pgsql
)
# No zend-signals: they cost eight system calls a request and belong to a process, not a thread.
# The execution timers are the kind of timeout that can reach one thread.
embed=(--enable-zts --enable-embed=static --disable-zend-signals --enable-zend-max-execution-timers)
fpm=(--enable-fpm --with-fpm-user=www-data --with-fpm-group=www-data)
if [ "$flavour" = embed ]; then flags=("${common[@]}" "${embed[@]}"); else flags=("${common[@]}" "${fpm[@]}"); fi

# A libphp.a links against the distribution's libraries, hence the distribution is in the key; the
# words above a patch are not.
key=$({
  # shellcheck disable=SC1091
  (. /etc/os-release && echo "$ID $VERSION_ID"); uname -m
  echo "$version $sha256 $cflags $ldflags"
  printf '%s\n' "${flags[@]}"
  for patch in "$here"/patches/*.patch; do sed -n '/^--- /,$p' "$patch"; done
} | sha256sum | cut -c1-12)
if [ "$flavour" = embed ]; then prefix=$cache/php-$version-$key; else prefix=$cache/php-fpm-$version-$key; fi
stamp=$prefix/.complete

if [ "$only_prefix" = yes ]; then echo "$prefix"; exit 0; fi
[ ! -e "$stamp" ] || exit 0

say() { echo "php $version ($flavour): $*"; }
die() { echo "build.sh: $*" >&2; exit 1; }

mkdir -p "$cache/dist" "$cache/log"
exec 9>"$prefix.lock"
flock -n 9 || { say "another build is running, waiting for it"; flock 9; }
[ ! -e "$stamp" ] || exit 0

is_source() { [ -f "$1" ] && echo "$sha256  $1" | sha256sum --check --status; }

debian_mirror() {
  command -v apt-get >/dev/null || return 0
  apt-get indextargets --format '$(LABEL)|$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    sed -n 's/^Debian|//p' | sed -n 1p
}

# Leaves the verified archive as $archive, from the nearest place that has it.
archive=$cache/dist/php-$version.tar.xz
find_source() {
  local official=php-$version.tar.xz debian=php${version%.*}_$version.orig.tar.xz
  local given=${EPHPM_PHP_TARBALL:-} place mirror
  is_source "$archive" && return 0

  if [ -n "$given" ]; then
    for place in "$given" "$given/$official" "$given/$debian"; do
      if is_source "$place"; then cp "$place" "$archive"; return 0; fi
    done
    die "EPHPM_PHP_TARBALL=$given has no $official or $debian with sha256 $sha256"
  fi

  place="https://www.php.net/distributions/$official"
  say "fetching $place"
  if curl --fail --silent --location --connect-timeout 4 --max-time 600 -o "$archive.part" "$place" &&
     is_source "$archive.part"; then
    mv "$archive.part" "$archive"; return 0
  fi

  # apt's own downloader reaches the mirror the way apt does: same proxy, same transport.
  mirror=$(debian_mirror)
  if [ -n "$mirror" ] && [ -x /usr/lib/apt/apt-helper ]; then
    say "fetching $debian from the configured Debian mirror"
    if /usr/lib/apt/apt-helper download-file "${mirror%/}/pool/main/p/php${version%.*}/$debian" \
         "$archive.part" "SHA256:$sha256" >/dev/null 2>&1 && is_source "$archive.part"; then
      mv "$archive.part" "$archive"; return 0
    fi
  fi

  place=$here/../../../shared/dist/$debian
  if is_source "$place"; then say "using $debian beside the repository"; cp "$place" "$archive"; return 0; fi

  rm -f "$archive.part"
  die "no source of PHP $version: download $official (sha256 $sha256) and set EPHPM_PHP_TARBALL to it"
}

work=
log=$cache/log/php-$flavour-$key.log
cleanup() { [ -z "$work" ] || rm -rf "$work"; }
trap cleanup EXIT
run() {
  "$@" >>"$log" 2>&1 && return 0
  echo "---- last lines of $log" >&2
  tail -n 30 "$log" >&2
  die "'$1' failed; the whole log is $log"
}

find_source
say "building, log in $log"
: >"$log"
work=$(mktemp -d "$cache/build-php-XXXXXX")
run tar -C "$work" --strip-components=1 -xf "$archive"
cd "$work"
for patch in "$here"/patches/*.patch; do
  say "applying $(basename "$patch")"
  run patch --forward --fuzz=0 -p1 -i "$patch"
done
say "configuring"
run ./configure --prefix="$prefix" "${flags[@]}" CFLAGS="$cflags" CXXFLAGS="$cflags" LDFLAGS="$ldflags"
say "compiling on $(nproc) cores"
run nice -n 5 make -j"$(nproc)"
rm -rf "$prefix"
run make install
echo "$version" >"$stamp.part"
mv "$stamp.part" "$stamp"
say "done: $prefix"
