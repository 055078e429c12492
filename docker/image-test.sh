#!/usr/bin/env bash
# Performs the steps of docker/Dockerfile without a container engine, then runs the result the way a
# strict platform would: as process 1 of its own namespaces, without root and capabilities, on a
# read-only file system.
#
# Each FROM is a debootstrap root of that Debian release from the mirror this machine's apt is
# configured for. COPY takes from what .dockerignore lets through. All mounts are made in a private
# mount namespace, which ends with this script.
#
# Run as root. What makes the next run faster stays in EPHPM_CACHE/image-test: the bare roots, the
# downloaded packages and the PHP build.
#
#   EPHPM_CACHE   default: ~/.cache/ephpm
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repository=$(dirname "$here")
machine_cache=${EPHPM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ephpm}
state=$machine_cache/image-test

say() { echo "image-test: $*"; }
die() { echo "image-test: $*" >&2; exit 1; }

# The outer half owns the work folder and sees none of the inner half's mounts, so that removing the
# folder can never reach through one of them. Nothing that the inner half starts outlives it: it is
# process 1 of a namespace.
if [ -z "${EPHPM_IMAGE_TEST_WORK:-}" ]; then
  [ "$(id -u)" = 0 ] || die "has to run as root"
  for tool in debootstrap:debootstrap curl:curl ip:iproute2; do
    command -v "${tool%:*}" >/dev/null || die "needs ${tool%:*}: apt-get install ${tool#*:}"
  done
  mkdir -p "$state"
  exec 9>"$state/lock"
  flock -n 9 || die "another run is using $state"
  work=$(mktemp -d "$state/run-XXXXXX")
  inner=
  # shellcheck disable=SC2317
  cleanup() {
    [ -z "$inner" ] || kill -KILL "$inner" 2>/dev/null || true
    # What was killed may still be writing.
    rm -rf --one-file-system "$work" || { sleep 1; rm -rf --one-file-system "$work"; }
  }
  trap cleanup EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  EPHPM_IMAGE_TEST_WORK=$work unshare --mount --pid --mount-proc --fork --kill-child "$0" 9>&- &
  inner=$!
  code=0
  wait "$inner" || code=$?
  inner=
  exit "$code"
fi
work=$EPHPM_IMAGE_TEST_WORK
unset EPHPM_IMAGE_TEST_WORK

# ---------------------------------------------------------------- roots

machine_mirror() {
  # shellcheck disable=SC2016
  apt-get indextargets --format '$(LABEL)|$(REPO_URI)' 'Created-By: Packages' |
    sed -n 's/^Debian|//p' | sed -n 1p
}

# Puts a bare Debian of the release $2 into the folder $1.
bare_root() {
  local root=$1 suite=$2 base mirror extra=()
  base=$state/base-$suite-$(dpkg --print-architecture)
  if [ ! -d "$base" ]; then
    mirror=$(machine_mirror)
    [ -n "$mirror" ] || die "apt has no Debian mirror configured"
    case $mirror in https:*) extra=(--include=ca-certificates) ;; esac
    say "debootstrap of $suite"
    rm -rf "$base.part"
    debootstrap --variant=minbase "${extra[@]}" "$suite" "$base.part" "$mirror" >"$work/log" 2>&1 ||
      { tail -n 20 "$work/log" >&2; die "debootstrap of $suite failed"; }
    rm -f "$base.part"/var/cache/apt/archives/*.deb
    mv "$base.part" "$base"
  fi
  cp -a "$base" "$root"
  apt-config dump | grep -E '^Acquire::[a-z]+::Proxy' >"$root/etc/apt/apt.conf.d/90machine" || true
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  # As in the container image of Debian: a root that is thrown away need not reach the disk.
  echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/docker-apt-speedup"
  mkdir -p "$state/archives/partial"
  mount --bind "$state/archives" "$root/var/cache/apt/archives"
  mount -t proc proc "$root/proc"
}

# ---------------------------------------------------------------- the Dockerfile

declare -A stage_root=()   # by name and by number
declare -A stage_env=() image=()
stages=0

# Splits instruction arguments the way a shell would, without expanding anything in them.
words() {
  case $1 in *[\$\`]*) die "variables are only understood in RUN: $1" ;; esac
  mapfile -t split < <(xargs printf '%s\n' <<<"$1")
}

# Turns an exec-form list, ["a", "b"], into the array `split`.
exec_form() {
  [[ $1 =~ ^\[(\"[^\"\\]*\"(,\ *\"[^\"\\]*\")*)\]$ ]] || die "not an exec-form list: $1"
  mapfile -t split < <(grep -o '"[^"]*"' <<<"${BASH_REMATCH[1]}" | tr -d '"')
}

environment() {
  local name
  for name in "${!stage_env[@]}"; do printf '%s=%s\n' "$name" "${stage_env[$name]}"; done
}

from() {
  words "$1"
  [[ ${split[0]} =~ ^debian:([a-z]+)-slim$ ]] || die "FROM knows only debian:RELEASE-slim: $1"
  root=$work/root-$stages
  stage_root[$stages]=$root
  [ "${#split[@]}" -lt 3 ] || stage_root[${split[2]}]=$root
  stages=$((stages + 1))
  image=([WORKDIR]=/ [USER]=0:0)
  stage_env=([PATH]=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
  bare_root "$root" "${BASH_REMATCH[1]}"
}

# The stage that builds PHP keeps it between runs. build.sh names its folder after all that goes in.
keep_builds() {
  local folder=${stage_env[EPHPM_CACHE]} archive
  mkdir -p "$state/builds/dist" "$root$folder"
  for archive in "$machine_cache"/dist/php-*.tar.xz; do
    [ ! -f "$archive" ] || cp --update "$archive" "$state/builds/dist/"
  done
  mount --bind "$state/builds" "$root$folder"
}

env_instruction() {
  local assignment
  words "$1"
  for assignment in "${split[@]}"; do
    [[ $assignment = *=* ]] || die "ENV wants NAME=VALUE: $1"
    stage_env[${assignment%%=*}]=${assignment#*=}
    [ "${assignment%%=*}" != EPHPM_CACHE ] || keep_builds
  done
}

# Only what was copied changes hands: of the folder $2 what is in the folder $1.
give_away() {
  (cd "$1" && find . -print0) | (cd "$2" && xargs -0 chown --no-dereference "$3")
}

copy() {
  local base=$work/context owner=0:0 target source
  words "$1"
  while [[ ${split[0]} = --* ]]; do
    case ${split[0]} in
      --from=*) base=${stage_root[${split[0]#*=}]-}; [ -n "$base" ] || die "no such stage: $1" ;;
      --chown=*) owner=${split[0]#*=} ;;
      *) die "COPY does not know ${split[0]}" ;;
    esac
    split=("${split[@]:1}")
  done
  target=${split[-1]}
  unset 'split[-1]'
  [[ $target = */ ]] || die "COPY wants a target that ends with a slash: $1"
  [[ $target = /* ]] || target=${image[WORKDIR]%/}/$target
  mkdir -p "$root$target"
  for source in "${split[@]}"; do
    source=$base/$source
    if [ -d "$source" ]; then
      tar -C "$source" -cf - .
    else
      tar -C "$(dirname "$source")" -cf - "$(basename "$source")"
    fi | tar -C "$root$target" -xpf - --no-overwrite-dir --no-same-owner
    [ "$owner" = 0:0 ] || give_away "$source" "$root$target" "$owner"
  done
}

run() {
  local variables
  mapfile -t variables < <(environment)
  # The last two arguments are a program for the shell in the root.
  # shellcheck disable=SC2016
  env -i "${variables[@]}" HOME=/root ${http_proxy:+http_proxy="$http_proxy"} \
    ${https_proxy:+https_proxy="$https_proxy"} ${no_proxy:+no_proxy="$no_proxy"} \
    chroot --userspec="${image[USER]}" "$root" \
    /bin/sh -c 'cd "$1" && exec /bin/sh -c "$2"' sh "${image[WORKDIR]}" "$1" >"$work/log" 2>&1 </dev/null ||
    { tail -n 40 "$work/log" >&2; die "failed: RUN $1"; }
}

perform() {
  local instruction=$1 rest=$2
  say "$instruction ${rest:0:90}"
  case $instruction in
    FROM) from "$rest" ;;
    ENV) env_instruction "$rest" ;;
    WORKDIR) image[WORKDIR]=$rest; mkdir -p "$root$rest" ;;
    COPY) copy "$rest" ;;
    RUN) run "$rest" ;;
    USER)
      [[ $rest =~ ^[0-9]+:[0-9]+$ ]] || die "USER wants numbers, which platforms can check: $rest"
      image[USER]=$rest ;;
    EXPOSE | STOPSIGNAL | ENTRYPOINT | CMD) image[$instruction]=$rest ;;
    HEALTHCHECK) image[HEALTHCHECK]=${rest#*CMD } ;;
    *) die "instruction not known: $instruction" ;;
  esac
}

perform_dockerfile() {
  local line logical=
  while IFS= read -r line || [ -n "$line" ]; do
    [[ ! $line =~ ^[[:space:]]*# ]] || continue
    logical+=$line
    if [[ $logical = *\\ ]]; then logical=${logical%\\}; continue; fi
    [[ $logical =~ ^[[:space:]]*$ ]] || perform "${logical%% *}" "${logical#* }"
    logical=
  done <"$here/Dockerfile"
}

# What a container engine would be sent: the allow list of .dockerignore.
make_context() {
  local pattern
  mkdir "$work/context"
  while IFS= read -r pattern; do
    case $pattern in
      '' | '#'* | '*') ;;
      '!'*) (cd "$repository" && cp -a --parents "${pattern#!}" "$work/context/") ;;
      *) die ".dockerignore: only '*' and '!PATH' are understood: $pattern" ;;
    esac
  done <"$repository/.dockerignore"
}

# ---------------------------------------------------------------- running the image

# Becomes "${@:2}" as user $1 of the image, with the image's variables and no capabilities. A chain
# of exec: process 1 has to be the program itself and not a shell that waits for it.
enter() {
  local user=$1 variables
  shift
  mapfile -t variables < <(environment)
  # shellcheck disable=SC2016
  exec env -i "${variables[@]}" chroot "$root" /usr/bin/setpriv --reuid="${user%:*}" \
    --regid="${user#*:}" --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all \
    /bin/sh -c 'cd "$0" && exec "$@"' "${image[WORKDIR]}" "$@"
}

# The same in the file system of `--read-only --tmpfs /tmp`. Wants namespaces of its own.
enter_container() {
  local device
  ip link set lo up
  mount --bind "$root" "$root"
  mount -t proc proc "$root/proc"
  mount --rbind /sys "$root/sys"
  mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
  mount -t tmpfs -o mode=755 tmpfs "$root/dev"
  for device in null zero full random urandom; do
    : >"$root/dev/$device"
    mount --bind "/dev/$device" "$root/dev/$device"
  done
  ln -s /proc/self/fd "$root/dev/fd"
  for device in 0:stdin 1:stdout 2:stderr; do
    ln -s "/proc/self/fd/${device%:*}" "$root/dev/${device#*:}"
  done
  mkdir "$root/dev/shm"
  mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
  mount -o remount,bind,ro "$root"
  enter "$@"
}

# The shell that calls one of these functions behind unshare or nsenter.
use_shell() {
  shell=(bash -c "set -euo pipefail
    $(declare -p root image stage_env)
    $(declare -f environment enter enter_container)
    \"\$@\"" bash)
}

server=      # the unshare process
inside=      # ephpmd

# Starts the image as user $1 and waits until it says that it serves.
start() {
  local command waited
  exec_form "${image[ENTRYPOINT]}"; command=("${split[@]}")
  exec_form "${image[CMD]}"; command+=("${split[@]}")
  unshare --mount --pid --net --ipc --uts --fork --kill-child \
    "${shell[@]}" enter_container "$1" "${command[@]}" >"$work/out" 2>&1 </dev/null &
  server=$!
  for ((waited = 0; waited < 600; ++waited)); do
    if grep -q '^ready http=' "$work/out"; then
      read -r inside _ <"/proc/$server/task/$server/children"
      return
    fi
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
  cat "$work/out" >&2
  die "the image did not start as user $1"
}

stop() {
  local code=0
  kill -s "${image[STOPSIGNAL]#SIG}" "$inside"
  wait "$server" || code=$?
  [ "$code" = 0 ] || { cat "$work/out" >&2; die "exit code $code after ${image[STOPSIGNAL]}"; }
}

# ---------------------------------------------------------------- checks

# expect WHAT PATTERN FILE
expect() {
  grep -q -- "$2" "$3" || { cat "$3" >&2; die "$1: no '$2'"; }
  say "ok: $1"
}

get() {
  nsenter --target "$inside" --net \
    curl --silent --show-error --fail --noproxy '*' --max-time 10 "$@" >"$work/page"
}

# health USER: the image's health command, behind unshare or nsenter with the rest of the arguments.
health() {
  exec_form "${image[HEALTHCHECK]}"
  "${@:2}" "${shell[@]}" enter "$1" "${split[@]}" >"$work/health" 2>&1
}

check_files() {
  local user=${image[USER]} file missing=no programs=0
  while IFS= read -r file; do
    [ "$(head -c 4 "$file" | tr -d '\0')" = $'\x7fELF' ] || continue
    programs=$((programs + 1))
    if chroot "$root" ldd "${file#"$root"}" 2>&1 | grep 'not found' >&2; then
      echo "  wanted by ${file#"$root"}" >&2
      missing=yes
    fi
  done < <(find "$root/usr/local" "$root/opt" -type f)
  [ "$missing" = no ] || die "packages.sh runtime lacks a library"
  [ "$programs" -ge 3 ] || die "ephpmd, php and opcache.so were expected, found $programs programs"
  say "ok: $programs programs find all their libraries"

  (enter "$user" ephpmd --version) >"$work/page" 2>&1 || true
  expect "ephpmd --version" '^OPcache: on' "$work/page"
  (enter "$user" php -r 'echo PHP_SAPI, PHP_ZTS,
    strlen(file_get_contents("/etc/ssl/certs/ca-certificates.crt")) > 100000,
    is_file("/usr/share/zoneinfo/Europe/Berlin"), "\n";') >"$work/page" 2>&1 || true
  expect "php on the command line, certificates, time zones" '^cli111$' "$work/page"

  ! health "$user" unshare --net || die "HEALTHCHECK succeeds although nothing runs"
  say "ok: HEALTHCHECK fails without a server"
}

# Serves as user $1, on the way tries whatever a read-only container could break.
check_serving() {
  local user=$1 url=http://127.0.0.1:${image[EXPOSE]} who
  start "$user"
  who=$(awk '/^NSpid:/ {pid = $NF} /^Uid:/ {uid = $2} /^Gid:/ {gid = $2} /^CapBnd:/ {caps = $2}
    END {print "process " pid ", user " uid ":" gid ", capabilities " caps}' "/proc/$inside/status")
  [ "$who" = "process 1, user $user, capabilities 0000000000000000" ] || die "runs as $who"
  say "ok: $who"

  get "$url/"
  expect "the welcome page" '<h1>ephpmd serves PHP</h1>' "$work/page"
  expect "OPcache in it" '<td>on, [1-9][0-9]* scripts' "$work/page"
  get "$url/style.css"
  expect "a static file" 'color-scheme' "$work/page"
  head -c 1000000 /dev/urandom >"$work/upload"
  get --form "files[]=@$work/upload" "$url/"
  expect "an upload, which waits in /tmp" \
    "1,000,000 bytes.*$(sha256sum <"$work/upload" | cut -d' ' -f1)" "$work/page"

  ! nsenter --target "$inside" --mount "${shell[@]}" enter "$user" touch /app/written 2>/dev/null ||
    die "the root file system is not read-only"
  health "$user" nsenter --target "$inside" --mount --pid --net ||
    { cat "$work/health" >&2; die "HEALTHCHECK fails while the server runs"; }
  say "ok: HEALTHCHECK"
  stop
  say "ok: ${image[STOPSIGNAL]} ends it with 0"
}

main() {
  make_context
  perform_dockerfile
  use_shell
  check_files
  check_serving "${image[USER]}"
  check_serving 12345:0    # as platforms do that give each container a user number of its own
  say "passed; the image's files take $(du -sxh "$root" | cut -f1)"
}
main
