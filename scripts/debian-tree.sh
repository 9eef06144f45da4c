#!/usr/bin/env bash
# Makes, once, a Debian tree with the programs that Debian 12 has only in versions too old for us: PostgreSQL 18,
# Patroni, etcd, HAProxy, PgBouncer, pgBackRest and Valkey, and Python with the packages that test and build the Python
# SDK. Deep tests run them from there (scripts/debian-tree.ts). Takes about a minute and 600 MB; needs root. A complete
# tree is left unchanged, an incomplete one of an earlier list is made again.
#
#   scripts/debian-tree.sh           makes the tree in /var/cache/legwork/forky, or in LEGWORK_TREE
#   scripts/debian-tree.sh --check   fails and names what is missing
set -euo pipefail

release=forky
tree=${LEGWORK_TREE:-/var/cache/legwork/$release}
packages=postgresql-18,patroni,python3-etcd,etcd-server,etcd-client,haproxy,pgbouncer,pgbackrest,valkey-server,procps
packages=$packages,python3,python3-venv,python3-httpx,python3-pydantic,python3-pytest,python3-build,python3-hatchling,twine
programs='
usr/lib/postgresql/18/bin/postgres
usr/bin/patroni
usr/bin/etcd
usr/bin/etcdctl
usr/sbin/haproxy
usr/sbin/pgbouncer
usr/bin/pgbackrest
usr/bin/valkey-server
usr/bin/python3
usr/bin/pytest
usr/bin/pyproject-build
usr/bin/twine
usr/share/doc/python3-venv
usr/lib/python3/dist-packages/hatchling/build.py
usr/lib/python3/dist-packages/httpx/__init__.py
usr/lib/python3/dist-packages/pydantic/__init__.py
'

missing() {
  for program in $programs; do
    if [ ! -e "$tree/$program" ]; then echo "$tree/$program"; fi
  done
}
if [ -z "$(missing)" ]; then exit 0; fi
if [ "${1:-}" = --check ]; then
  missing >&2
  exit 1
fi

if [ "$(id -u)" -ne 0 ]; then
  echo "the Debian tree is missing; run as root: scripts/debian-tree.sh" >&2
  exit 1
fi
mkdir -p "$(dirname "$tree")"
exec 9>"$tree.lock"
flock 9
# Another run may have made it while this one waited.
if [ -z "$(missing)" ]; then exit 0; fi

making=$(mktemp -d "$tree.XXXXXX")
log=$(mktemp)
trap 'rm -rf "$making" "$log"' EXIT
quietly() {
  "$@" </dev/null >"$log" 2>&1 || { tail -n 30 "$log" >&2; return 1; }
}
if ! command -v mmdebstrap >/dev/null; then
  export DEBIAN_FRONTEND=noninteractive
  quietly apt-get -qq -o DPkg::Lock::Timeout=300 update
  quietly apt-get -qq -o DPkg::Lock::Timeout=300 install --no-install-recommends -y mmdebstrap
fi

# A mirror's index may have expired by its own date; its signature is checked all the same.
quietly mmdebstrap --variant=minbase --include="$packages" \
  --aptopt='Acquire::Check-Valid-Until "false"' --aptopt='Acquire::Retries "5"' "$release" "$making"
chmod 755 "$making"
# An incomplete tree of an earlier list of packages is replaced.
rm -rf "$tree"
mv -T "$making" "$tree"
if [ -n "$(missing)" ]; then
  echo "the Debian tree was made, but these programs are missing:" >&2
  missing >&2
  exit 1
fi
