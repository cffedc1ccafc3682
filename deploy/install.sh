#!/bin/sh
# Installs Cubby as a service of systemd, or installs another version of it:
#
#   npm pack cubby-files && tar -xzf cubby-files-*.tgz package/deploy/install.sh
#   sh package/deploy/install.sh [--root FOLDER] [--package SPEC] [--no-start]
#
# It needs root, Node 20 or newer with npm, and glibc. SPEC is what npm installs: `cubby-files@0.2.0`,
# or a file that `npm pack` made. Each version gets a folder of its own below /opt/cubby, and
# /opt/cubby/current names the one in use: the former one stays for the way back.
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

[ "$(id -u)" = 0 ] || refuse "only root can"
former=
if [ -e "$settings" ]; then former=$(sed -n 's/^FB_ROOT=//p' "$settings" | tail -n 1); fi
if [ -n "$root" ] && [ -n "$former" ] && [ "$root" != "$former" ]; then
  refuse "$settings names the folder \"$former\"; change it there, and leave --root out"
fi
root=${root:-${former:-/srv/files}}
case $root in
  /*[!A-Za-z0-9/._-]*) refuse "the path \"$root\" has characters that a unit can't take as they are" ;;
  /*) ;;
  *) refuse "the path \"$root\" is not absolute" ;;
esac
command -v node >/dev/null && command -v npm >/dev/null || refuse "there is no Node with npm"
[ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ] || refuse "Node is older than 20"
[ "$start" = no ] || command -v systemctl >/dev/null || refuse "there is no systemd; see --no-start"

# A file is named from the folder that the caller is in.
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
  printf '# Settings of Cubby: the flags, as FB_PORT for --port.\nFB_ROOT=%s\n' "$root" \
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
