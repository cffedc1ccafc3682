#!/bin/sh
# In the image: the entry point `image-start`, and the command `cubby-files` for `docker exec`.
#
# With the volumes of File Browser's image, the entry point has the server import the database that
# it finds there. It leaves its choice in a file, so that commands work on the same store.
# CUBBY_IMAGE is a folder in place of / for tests.
set -eu

image=${CUBBY_IMAGE-}
program=$(dirname "$(readlink -f "$0")")/npm/cubby-files.sh
choice=$image/tmp/cubby-files.env
own=$image/data/cubby.kv
variables='FB_DATABASE FB_IMPORT FB_IMPORT_FROM FB_CONFIG FB_ROOT FB_PORT'

# Takes the values of flags that say which store it is: commands have to know them.
take_flags() {
  name=
  for arg in "$@"; do
    if [ -n "$name" ]; then
      take "$arg"
      continue
    fi
    case $arg in
      -d* | --database | --database=*) name=FB_DATABASE ;;
      -c* | --config | --config=*) name=FB_CONFIG ;;
      -r* | --root | --root=*) name=FB_ROOT ;;
    esac
    case $arg in
      --*=* | -[cdr]=*) take "${arg#*=}" ;;
      -[cdr]?*) take "${arg#-?}" ;;
    esac
  done
}

# Takes the value of a flag, if it is one of these.
take() {
  if [ -n "$name" ]; then export "$name=$1"; fi
  if [ "$name" = FB_DATABASE ]; then is_named=true; fi
  name=
}

# The text of a member of File Browser's settings.
member() {
  tr '\n' ' ' <"$settings" |
    sed -n 's/.*"'"$1"'"[[:space:]]*:[[:space:]]*"\([^"]*\)".*/\1/Ip' | sed 's,\\/,/,g'
}

# Whether a path is a volume of its own.
is_mounted() {
  while read -r _ _ _ _ point _; do
    if [ "$image$point" = "$1" ]; then return 0; fi
  done <"$image/proc/self/mountinfo"
  return 1
}

# The store for a database: beside it, or in /data where a store beside it would not stay.
store_of() {
  folder=${1%/*}
  if [ "$folder" = "$image" ] || [ ! -w "$folder" ] || is_mounted "$1"; then folder=$image/data; fi
  name=${1##*/}
  echo "$folder/${name%.db}.kv"
}

# Has the server import a database, if it is there or its store is.
use() {
  store=$(store_of "$1")
  if [ ! -f "$1" ] || [ ! -s "$1" ] && [ ! -s "$store" ]; then return 1; fi
  export FB_DATABASE="$store"
  if [ -f "$1" ]; then export FB_IMPORT_FROM="$1"; fi
  # The port of File Browser's image, unless its settings say another.
  if [ -z "$settings" ]; then export FB_PORT="${FB_PORT:-80}"; fi
  if [ "${store%/*}" != "${1%/*}" ]; then
    echo "The store is \"$store\": keep \"$image/data\" in a volume" >&2
  fi
  if [ -s "$own" ]; then echo "Not used: the store \"$own\"" >&2; fi
}

# Chooses the store, unless a variable or a flag names one.
choose() {
  if [ -n "${is_named-}" ] || [ "${FB_DATABASE-}" != "$own" ]; then
    export FB_IMPORT="${FB_IMPORT:-true}"
    return
  fi
  settings=
  for file in "${FB_CONFIG-}" "$image/config/settings.json" "$image/.filebrowser.json"; do
    if [ -z "$settings" ] && [ -n "$file" ] && [ -f "$file" ]; then settings=$file; fi
  done
  named=
  if [ -n "$settings" ]; then
    export FB_CONFIG="$settings"
    named=$(member database)
    # File Browser's image runs in /.
    named=${named:+$image/${named#/}}
    root=$(member root)
    if [ "${FB_ROOT-}" = "$image/srv" ] && [ "${root#/}" != "$root" ] && [ -d "$image$root" ]; then
      export FB_ROOT="$image$root"
    fi
  fi
  if [ -n "$named" ] && use "$named"; then return; fi
  if use "$image/database/filebrowser.db" || use "$image/database.db"; then return; fi
  if [ -s "$own" ]; then return; fi
  echo "No File Browser database was found: looked for ${named:+\"$named\" (\"$settings\"), }\
\"$image/database/filebrowser.db\" and \"$image/database.db\"; the store is \"$own\"" >&2
}

# Writes the choice for commands.
leave() {
  value=
  for name in $variables; do
    eval "value=\${$name-}"
    if [ -n "$value" ]; then printf '%s=%s\n' "$name" "$value"; fi
  done >"$choice"
}

# Reads the choice of the entry point, whatever else is in the file.
follow() {
  while IFS= read -r line; do
    for name in $variables; do
      if [ "${line%%=*}" = "$name" ]; then export "$name=${line#*=}"; fi
    done
  done <"$choice"
}

case ${0##*/}:${1-} in
  image-start: | image-start:-*)
    rm -f "$choice"
    take_flags "$@"
    choose
    leave || echo "Cannot write \"$choice\": commands need --database \"$FB_DATABASE\"" >&2
    ;;
  *)
    if [ -f "$choice" ]; then
      follow
    elif [ "${0##*/}" = image-start ]; then
      choose
    fi
    ;;
esac
exec "$program" "$@"
