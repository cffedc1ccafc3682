#!/bin/sh
# The command of the npm package for where there is no Node, as in the container image and the
# systemd unit: the same as cubby-files.js beside it, and becomes Deno itself.
set -eu

here=$(dirname "$(readlink -f "$0")")
top=$(cd "$here/../.." && pwd)

deno=
for found in "$top"/node_modules/@deno/*/deno "$top"/../@deno/*/deno; do
  if [ -x "$found" ]; then
    deno=$found
    break
  fi
done
if [ -z "$deno" ]; then
  echo "Cannot start: there is no Deno beside \"$top\"; install its packages with the optional ones" >&2
  exit 2
fi

case ${1-} in
  "" | -*) module=boot/launcher ;;
  health)
    module=boot/ask_health
    shift
    ;;
  compile)
    module=boot/compile
    shift
    ;;
  *) module=cli/cubby ;;
esac

DENO_DIR="$top/_fresh/deno" DENO_NO_UPDATE_CHECK=1 INIT_CWD=$(pwd)
export DENO_DIR DENO_NO_UPDATE_CHECK INIT_CWD
exec "$deno" run -A --quiet --cached-only --no-config --no-lock --node-modules-dir=manual \
  --unstable-kv "$top/_fresh/bundle/lib/server/$module.js" "$@"
