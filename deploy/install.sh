#!/bin/sh
# Installs Cubby as a systemd service, or installs another version of it:
#
#   npx -y deno@2.9.6 task release
#   sh deploy/install.sh --package FILE [--root FOLDER] [--no-start]
#
# It needs root and glibc. FILE is dist/cubby-files-VERSION-linux-ARCH.tar.gz, which needs nothing
# else, or the npm package dist/cubby-files-VERSION.tgz, which Node 20 or newer with npm installs.
# Each version has its own folder below /opt/cubby; /opt/cubby/current links to the one in use. The
# former version stays, so that you can go back.
set -eu

settings=/etc/cubby/cubby.env
root=
package=
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
[ -n "$package" ] || refuse "--package has to name the file to install"
[ -f "$package" ] || refuse "the file \"$package\" does not exist"
package=$(readlink -f "$package")
case $package in
  *.tar.gz) whole=yes ;;
  *)
    whole=no
    command -v node >/dev/null && command -v npm >/dev/null || refuse "Node with npm is not installed"
    [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ] || refuse "Node is older than 20"
    ;;
esac
[ "$start" = no ] || command -v systemctl >/dev/null || refuse "systemctl was not found; use --no-start"

umask 022
mkdir -p /opt/cubby
new=$(mktemp -d /opt/cubby/new.XXXXXX)
trap 'rm -rf "$new"' EXIT
chmod 0755 "$new"
if [ "$whole" = yes ]; then
  tar xzf "$package" -C "$new" --strip-components=1 --no-same-owner || refuse "cannot unpack \"$package\""
  program=.
else
  npm install --prefix "$new" --ignore-scripts --no-audit --no-fund --loglevel=error -- "$package" ||
    refuse "npm could not install \"$package\""
  program=node_modules/cubby-files
fi
command=$program/deploy/npm/cubby-files.sh
[ -x "$new/$command" ] || refuse "\"$package\" is not cubby-files"
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$new/$program/package.json")
[ -n "$version" ] || refuse "\"$package\" does not name its version"
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
  "$target/$program/deploy/systemd/cubby.service" \
  >/etc/systemd/system/cubby.service
ln -sfn "$target" /opt/cubby/current.new
mv -T /opt/cubby/current.new /opt/cubby/current
ln -sfn "/opt/cubby/current/$command" /usr/local/bin/cubby-files
# Once for all starts; without it each compiles for itself.
"$target/$command" compile >/dev/null || echo "Could not compile the program; each start does it" >&2

echo "Installed Cubby $version into \"$target\""
if [ "$start" = yes ]; then
  systemctl daemon-reload
  systemctl enable cubby
  systemctl restart cubby
  echo "Serving \"$root\"; the first start prints the password of admin: journalctl -u cubby"
fi
