#!/usr/bin/env bash
# The one list of operating system packages, for Debian 12 and 13.
#
#   packages.sh build     compiler, tools and development libraries of PHP and ephpmd
#   packages.sh test      build, and what tests and benchmarks run beside it
#   packages.sh runtime   only the shared libraries the finished program needs
#   packages.sh prefix    prints where the libraries lie that the distribution lacks
#
# Says nothing and touches nothing when all is there. Two libraries are missing from Debian 12 or
# too old in it: llhttp, and hiredis, which has no RESP3 before 1.0. They come from Debian 13 through
# a private apt configuration, on the mirror this machine is configured for, into a prefix outside the
# tree; the machine's own configuration and packages stay as they are.
#
#   EPHPM_CACHE   where the prefix goes (default: ~/.cache/ephpm)
set -euo pipefail

# shellcheck disable=SC1091
. /etc/os-release
cache=${EPHPM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ephpm}

case "${ID:-}-${VERSION_ID:-}" in
  debian-12) prefix=$cache/deps-llhttp-9.2-hiredis-1.2 ;;
  debian-13) prefix=/usr ;;
  *) echo "packages.sh: only Debian 12 and 13 are known, this is ${PRETTY_NAME:-unknown}" >&2; exit 1 ;;
esac

tools=(
  build-essential ca-certificates cmake curl ninja-build patch pkgconf xz-utils
  autoconf    # phpize, for extensions such as phpredis
)
php_libraries=(
  libcurl4-openssl-dev libedit-dev libfreetype-dev libicu-dev libjpeg-dev libonig-dev libpng-dev
  libpq-dev libsodium-dev libsqlite3-dev libssl-dev libwebp-dev libxml2-dev libxslt1-dev libzip-dev
  zlib1g-dev
)
ephpmd_libraries=(
  libbenchmark-dev libcli11-dev libfmt-dev libgmock-dev libgtest-dev libspdlog-dev libssl-dev
  libtomlplusplus-dev libuv1-dev nlohmann-json3-dev
)
# nginx and wrk for the benchmarks, which python3 drives; unzip for the applications. npm, which fetches
# a part of WordPress, is left to the machine: Debian's would fight with one from elsewhere.
test_programs=(nginx-light python3 unzip wrk)

case $VERSION_ID in
  12)
    runtime_libraries=(
      libcurl4 libedit2 libfmt9 libfreetype6 libicu72 libjpeg62-turbo libonig5 libpng16-16 libpq5
      libsodium23 libspdlog1.10 libsqlite3-0 libssl3 libstdc++6 libuv1 libwebp7 libxml2 libxslt1.1
      libzip4 zlib1g
    )
    ;;
  13)
    ephpmd_libraries+=(libhiredis-dev libllhttp-dev)
    runtime_libraries=(
      libcurl4t64 libedit2 libfmt10 libfreetype6 libhiredis1.1.0 libicu76 libjpeg62-turbo libllhttp9.2
      libonig5 libpng16-16t64 libpq5 libsodium23 libspdlog1.15 libsqlite3-0 libssl3t64 libstdc++6
      libuv1t64 libwebp7 libxml2 libxslt1.1 libzip5 zlib1g
    )
    ;;
esac

die() { echo "packages.sh: $*" >&2; exit 1; }

# Prints those of its arguments that are not installed, one a line.
missing() {
  comm -23 <(printf '%s\n' "$@" | sort -u) \
    <(dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' "$@" 2>/dev/null | sed -n 's/^ii //p' | sort -u)
}

# The tests want nginx and redis as programs. Debian starts them as services on installation unless
# this script, which belongs to the administrator, forbids it; one that exists is left alone.
policy=/usr/sbin/policy-rc.d
work=
own_policy=no
cleanup() {
  [ "$own_policy" = no ] || rm -f "$policy"
  [ -z "$work" ] || rm -rf "$work"
}
trap cleanup EXIT

use_work() { [ -n "$work" ] || work=$(mktemp -d); }

quiet() {
  "$@" >"$work/log" 2>&1 && return 0
  tail -n 20 "$work/log" >&2
  die "failed: $*"
}

install() {
  local wanted
  mapfile -t wanted < <(missing "$@")
  [ ${#wanted[@]} -gt 0 ] || return 0
  if [ "$(id -u)" != 0 ]; then
    die "missing packages, please run: sudo apt-get install -y --no-install-recommends ${wanted[*]}"
  fi
  echo "packages.sh: installing ${wanted[*]}"
  if [ ! -e "$policy" ]; then
    own_policy=yes
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
  fi
  use_work
  quiet apt-get update
  DEBIAN_FRONTEND=noninteractive quiet apt-get install -y --no-install-recommends "${wanted[@]}"
}

keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# Writes an apt configuration to $work/apt.conf that knows nothing but Debian 13. What the machine has
# in apt.conf.d, proxies above all, still counts.
trixie_apt() {
  local mirror
  mirror=$(apt-get indextargets --format '$(LABEL)|$(REPO_URI)' 'Created-By: Packages' |
             sed -n 's/^Debian|//p' | sed -n 1p)
  [ -n "$mirror" ] || die "apt has no Debian mirror configured"
  mkdir -p "$work/lists/partial" "$work/archives/partial" "$work/none"
  : >"$work/status"
  printf '%s [signed-by=%s] %s trixie main\n' deb "$keyring" "$mirror" deb-src "$keyring" "$mirror" \
    >"$work/sources.list"
  cat >"$work/apt.conf" <<EOF
Dir::Etc::sourcelist "$work/sources.list";
Dir::Etc::sourceparts "$work/none";
Dir::Etc::preferences "$work/none/preferences";
Dir::Etc::preferencesparts "$work/none";
Dir::State "$work";
Dir::State::status "$work/status";
Dir::Cache "$work";
Acquire::Languages "none";
EOF
  chmod -R a+rX "$work"
}

build_prefix() {
  [ ! -e "$prefix/.complete" ] || return 0
  mkdir -p "$cache"
  exec 9>"$prefix.lock"
  flock 9
  [ ! -e "$prefix/.complete" ] || return 0

  use_work
  # Debian 13's keys came to Debian 12 in an update of this package.
  if [ ! -e /usr/share/keyrings/debian-archive-trixie-stable.gpg ]; then
    [ "$(id -u)" = 0 ] || die "the Debian keyring is too old, please run: sudo apt-get install -y debian-archive-keyring"
    quiet apt-get update
    DEBIAN_FRONTEND=noninteractive quiet apt-get install -y debian-archive-keyring
  fi

  echo "packages.sh: llhttp and hiredis of Debian 13 go to $prefix"
  trixie_apt
  (
    export APT_CONFIG=$work/apt.conf
    cd "$work"
    quiet apt-get update
    quiet apt-get download libllhttp-dev
    quiet apt-get source hiredis
  )
  rm -rf "$prefix"
  mkdir -p "$prefix/include/hiredis" "$prefix/lib"

  quiet dpkg -x "$work"/libllhttp-dev_*.deb "$work/llhttp"
  cp "$work/llhttp/usr/include/llhttp.h" "$prefix/include/"
  cp "$work"/llhttp/usr/lib/*/libllhttp.a "$prefix/lib/"

  cd "$work"/hiredis-*/
  quiet make -j"$(nproc)" USE_SSL=1 OPTIMIZATION=-O2 libhiredis.a libhiredis_ssl.a
  cp ./*.h "$prefix/include/hiredis/"
  cp -r adapters "$prefix/include/hiredis/"
  cp libhiredis.a libhiredis_ssl.a "$prefix/lib/"

  touch "$prefix/.complete"
}

case "${1:-}" in
  build | test)
    packages=("${tools[@]}" "${php_libraries[@]}" "${ephpmd_libraries[@]}")
    [ "$1" = build ] || packages+=("${test_programs[@]}")
    install "${packages[@]}"
    [ "$prefix" = /usr ] || build_prefix
    ;;
  runtime) install "${runtime_libraries[@]}" ca-certificates tzdata ;;
  prefix) echo "$prefix" ;;
  *) echo "usage: packages.sh build|test|runtime|prefix" >&2; exit 2 ;;
esac
