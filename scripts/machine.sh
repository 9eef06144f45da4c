#!/usr/bin/env bash
# Installs, on Debian 12, the programs that the tests need and npm doesn't install. Programs that are already installed
# are left unchanged; new ones are not started as services, because the tests start their own.
set -euo pipefail

# One pair per line: the program, and the Debian package that contains it.
programs='
redis-server redis-server
promtool prometheus
chromium chromium
haproxy haproxy
/usr/lib/postgresql/15/bin/pgbench postgresql-15
wrk wrk
openssl openssl
mmdebstrap mmdebstrap
ip iproute2
curl curl
podman podman
buildah buildah
runc runc
/usr/lib/podman/netavark netavark
/usr/lib/podman/aardvark-dns aardvark-dns
iptables iptables
systemd-analyze systemd
/usr/sbin/mkfs.ext4 e2fsprogs
'

missing=()
while read -r program package; do
  if [ -n "$program" ] && ! command -v "$program" >/dev/null; then missing+=("$package"); fi
done <<<"$programs"
if [ "${#missing[@]}" -eq 0 ]; then exit 0; fi

if [ "$(id -u)" -eq 0 ]; then
  as_root() { "$@"; }
elif command -v sudo >/dev/null; then
  as_root() { sudo "$@"; }
else
  echo "missing: ${missing[*]}; run as root: apt-get install ${missing[*]}" >&2
  exit 1
fi

# Debian runs this file before it starts a service; exit code 101 forbids the start.
policy=/usr/sbin/policy-rc.d
log=$(mktemp)
made_policy=no
clean_up() {
  rm -f "$log"
  if [ "$made_policy" = yes ]; then as_root rm -f "$policy"; fi
}
trap clean_up EXIT
if [ ! -e "$policy" ]; then
  made_policy=yes
  printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
  as_root chmod 755 "$policy"
fi

# On a fresh machine another apt may be running, so wait for its lock, with a timeout.
apt_get() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@" \
    </dev/null >"$log" 2>&1 || { cat "$log" >&2; return 1; }
}
apt_get update
apt_get install --no-install-recommends -y "${missing[@]}"
