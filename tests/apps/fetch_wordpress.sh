#!/usr/bin/env bash
# Makes a WordPress document root in DEST, with SQLite in place of MySQL and without wp-config.php.
#
#   fetch_wordpress.sh DEST
#
# WordPress is Debian's package with the libraries that it links to; the SQLite drop-in is the one that
# WordPress Playground's npm package carries. Both are downloaded once into a cache folder; nothing is
# installed, and the machine's own apt configuration stays as it is.
#
# Environment:
#   EPHPM_CACHE               the cache (default: $XDG_CACHE_HOME/ephpm or ~/.cache/ephpm)
#   EPHPM_TEST_WORDPRESS      a WordPress folder to copy instead of downloading one
#   EPHPM_TEST_SQLITE_PLUGIN  an sqlite-database-integration folder to copy likewise
#
# Exit code: 0, or 77 with the reason on standard error if something cannot be had here.
set -euo pipefail

readonly UNAVAILABLE=77
readonly KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg
# Debian 12's WordPress is older than what the drop-in and PHP 8.4 work with.
readonly RELEASE=trixie
readonly PLAYGROUND="@wp-playground/cli@3.1.56"
readonly PLUGIN="sqlite-database-integration"

cache="${EPHPM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ephpm}"

say() { echo "fetch_wordpress: $*" >&2; }
unavailable() {
  say "$*"
  exit "$UNAVAILABLE"
}
need() {
  local program
  for program in "$@"; do
    command -v "$program" >/dev/null || unavailable "needs the program '$program'"
  done
}

# Writes $1/apt.conf, by which apt knows nothing but $RELEASE on the machine's own mirror and keeps all
# its files in $1. The machine's apt.conf.d, proxies above all, still counts.
write_apt_configuration() {
  local mirror
  mirror="$(apt-get indextargets --format '$(LABEL)|$(REPO_URI)' 'Created-By: Packages' |
    sed -n 's/^Debian|//p' | sed -n 1p)"
  [[ -n "$mirror" ]] || unavailable "apt has no Debian mirror configured"
  mkdir -p "$1/lists/partial" "$1/archives/partial" "$1/none"
  : >"$1/status"
  echo "deb [signed-by=$KEYRING] $mirror $RELEASE main" >"$1/sources.list"
  cat >"$1/apt.conf" <<CONFIGURATION
Dir::Etc::sourcelist "$1/sources.list";
Dir::Etc::sourceparts "$1/none";
Dir::Etc::preferences "$1/none/preferences";
Dir::Etc::preferencesparts "$1/none";
Dir::State "$1";
Dir::State::status "$1/status";
Dir::Cache "$1";
Acquire::Languages "none";
APT::Sandbox::User "$(id -un)";
CONFIGURATION
}

# The packages that the document root is made of: WordPress, its theme, and the libraries behind its
# symbolic links. Alternatives ("a | b") are programs and PHP itself, which are not wanted.
packages() {
  local show
  show="$(apt-cache show --no-all-versions wordpress)"
  echo wordpress
  sed -n 's/^Depends: //p' <<<"$show" | tr ',' '\n' | grep -v '|' | sed 's/(.*//; s/ //g' |
    grep -E '^(libjs|libphp|php)-' | grep -vx 'php-gd'
  sed -n 's/^Recommends: //p' <<<"$show" | grep -oE 'wordpress-theme-[a-z0-9]+'
}

# Replaces the symbolic links in folder $2 by what they point to, below the unpacked root $1.
resolve_links() {
  local root="$1" link target
  find "$2" -type l | while read -r link; do
    target="$(readlink "$link")"
    [[ "$target" == /* ]] && target="$root$target" || target="$(dirname "$link")/$target"
    # The machine's own certificates are the one thing that no package here brings.
    [[ -e "$target" ]] || target="$(readlink "$link")"
    if [[ ! -e "$target" ]]; then
      say "nothing is behind the link $link"
      return 1
    fi
    rm "$link"
    cp -RL "$target" "$link"
  done
}

download_wordpress() {
  local work="$1" wanted package site
  need apt-get apt-cache dpkg-deb
  [[ -e "$KEYRING" ]] || unavailable "no Debian keyring in $KEYRING"
  write_apt_configuration "$work"
  export APT_CONFIG="$work/apt.conf"
  say "reading the package lists of $RELEASE"
  apt-get -q=2 update >&2 || unavailable "apt-get could not read the package lists of $RELEASE"
  mapfile -t wanted < <(packages)
  say "downloading ${wanted[*]}"
  (cd "$work" && apt-get -q=2 download "${wanted[@]}" >&2) ||
    unavailable "apt-get could not download ${wanted[*]}"
  for package in "$work"/*.deb; do dpkg-deb -x "$package" "$work/root"; done
  site="$work/root/usr/share/wordpress"
  # The links to what a machine's administrator would write.
  rm -f "$site/.htaccess" "$site/wp-config.php"
  [[ -e /etc/ssl/certs/ca-certificates.crt ]] || rm -f "$site/wp-includes/certificates/ca-bundle.crt"
  resolve_links "$work/root" "$site"
  mv "$site" "$work/ready"
}

download_plugin() {
  local work="$1"
  need npm unzip tar
  say "downloading $PLAYGROUND"
  (cd "$work" && npm pack --silent "$PLAYGROUND" >&2) ||
    unavailable "npm could not download $PLAYGROUND"
  tar -xzf "$work"/*.tgz -C "$work" "package/$PLUGIN.zip"
  unzip -q "$work/package/$PLUGIN.zip" -d "$work/unpacked"
  mv "$work"/unpacked/*"$PLUGIN" "$work/ready"
}

# Calls $2 with an empty folder, to make the cached folder $1 as "ready" in it, unless there is one.
# The cached folder appears complete or not at all.
ensure_cached() {
  exec 9>"$cache/.$1.lock"
  flock 9
  if [[ ! -d "$cache/$1" ]]; then
    work="$(mktemp -d "$cache/.$1.XXXXXX")"
    trap 'rm -rf "$work"' EXIT
    "$2" "$work"
    mv "$work/ready" "$cache/$1"
    rm -rf "$work"
  fi
  exec 9>&-
}

[[ $# -eq 1 && ! -e "$1" ]] || {
  say "usage: fetch_wordpress.sh DEST, where DEST does not exist yet"
  exit 1
}
destination="$1"
need flock find
mkdir -p "$cache"

wordpress="${EPHPM_TEST_WORDPRESS:-}"
if [[ -z "$wordpress" ]]; then
  ensure_cached "wordpress-$RELEASE" download_wordpress
  wordpress="$cache/wordpress-$RELEASE"
fi
plugin="${EPHPM_TEST_SQLITE_PLUGIN:-}"
if [[ -z "$plugin" ]]; then
  ensure_cached "$PLUGIN-${PLAYGROUND##*@}" download_plugin
  plugin="$cache/$PLUGIN-${PLAYGROUND##*@}"
fi
[[ -f "$wordpress/wp-settings.php" ]] || unavailable "no WordPress in $wordpress"
compgen -G "$wordpress/wp-content/themes/*/style.css" >/dev/null || unavailable "no theme in $wordpress"
[[ -f "$plugin/db.copy" ]] || unavailable "no $PLUGIN in $plugin"

cp -RL "$wordpress" "$destination"
mkdir -p "$destination/wp-content/plugins" "$destination/wp-content/uploads"
rm -rf "$destination/wp-config.php" "$destination/wp-content/plugins/$PLUGIN"
cp -R "$plugin" "$destination/wp-content/plugins/$PLUGIN"
sed "s|{SQLITE_PLUGIN}|$PLUGIN/load.php|g" "$plugin/db.copy" >"$destination/wp-content/db.php"
