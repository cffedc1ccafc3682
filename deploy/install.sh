#!/bin/sh
# Installs Cubby as a systemd service, or installs another version of it:
#
#   npx -y deno@2.9.6 task package _package && npm pack ./_package
#   sh deploy/install.sh [--root FOLDER] [--package SPEC] [--no-start]
#
# It needs root, Node 20 or newer with npm, and glibc. SPEC is what npm installs: a file that
# `npm pack` made, or a version in a registry, such as `cubby-files@0.2.0`. Each version has its own
# folder below /opt/cubby; /opt/cubby/current links to the one in use. The former version stays, so
# that you can go back.
set -eu

settings=/etc/cubby/cubby.env
root=
package=cubby-files
start=yes

refuse() {
  echo "Cannot install: $1" >&2
  exit 2
}

while [ $# -gt 0 ]; do
  case $1 in
    --root | --package)
      [ $# -ge 2 ] || refuse "$1 needs a value"
      if [ "$1" = --root ]; then root=$2; else package=$2; fi
      shift 2
      ;;
    --no-start)
      start=no
      shift
      ;;
    *) refuse "unknown argument \"$1\"; --root, --package and --no-start are known" ;;
  esac
done

[ "$(id -u)" = 0 ] || refuse "run it as root"
former=
if [ -e "$settings" ]; then former=$(sed -n 's/^FB_ROOT=//p' "$settings" | tail -n 1); fi
if [ -n "$root" ] && [ -n "$former" ] && [ "$root" != "$former" ]; then
  refuse "$settings names the folder \"$former\"; change it there, without --root"
fi
root=${root:-${former:-/srv/files}}
case $root in
  /*[!A-Za-z0-9/._-]*) refuse "the path \"$root\" has characters that a systemd unit does not allow" ;;
  /*) ;;
  *) refuse "the path \"$root\" is not absolute" ;;
esac
command -v node >/dev/null && command -v npm >/dev/null || refuse "Node with npm is not installed"
[ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ] || refuse "Node is older than 20"
[ "$start" = no ] || command -v systemctl >/dev/null || refuse "systemctl was not found; use --no-start"

# The path of a file is relative to the current folder.
if [ -f "$package" ]; then package=$(readlink -f "$package"); fi

umask 022
mkdir -p /opt/cubby
new=$(mktemp -d /opt/cubby/new.XXXXXX)
trap 'rm -rf "$new"' EXIT
chmod 0755 "$new"
npm install --prefix "$new" --ignore-scripts --no-audit --no-fund --loglevel=error -- "$package" ||
  refuse "npm could not install \"$package\""
[ -f "$new/node_modules/cubby-files/package.json" ] || refuse "\"$package\" is not cubby-files"
version=$(node -p "require('$new/node_modules/cubby-files/package.json').version")
target=/opt/cubby/$version
if [ -e "$target" ]; then target=$target-$(date +%Y%m%d%H%M%S); fi
mv "$new" "$target"
trap - EXIT

if ! id cubby >/dev/null 2>&1; then
  useradd --system --user-group --home-dir /var/lib/cubby --no-create-home \
    --shell /usr/sbin/nologin cubby
fi
if [ ! -e "$root" ]; then
  mkdir -p "$root"
  chown cubby:cubby "$root"
fi
mkdir -p /etc/cubby /etc/systemd/system
if [ ! -e "$settings" ]; then
  printf '# Settings of Cubby, such as FB_PORT for --port.\nFB_ROOT=%s\n' "$root" \
    >"$settings"
  chmod 0640 "$settings"
fi
sed "s|^ReadWritePaths=.*|ReadWritePaths=-$root|" \
  "$target/node_modules/cubby-files/deploy/systemd/cubby.service" \
  >/etc/systemd/system/cubby.service
ln -sfn "$target" /opt/cubby/current.new
mv -T /opt/cubby/current.new /opt/cubby/current
ln -sfn /opt/cubby/current/node_modules/cubby-files/deploy/npm/cubby-files.sh /usr/local/bin/cubby-files

echo "Installed Cubby $version into \"$target\""
if [ "$start" = yes ]; then
  systemctl daemon-reload
  systemctl enable cubby
  systemctl restart cubby
  echo "Serving \"$root\"; the first start prints the password of admin: journalctl -u cubby"
fi
