#!/bin/sh
# Starts Cubby with the options of the app, which are in /data/options.json.
set -eu

data=${CUBBY_DATA:-/data}
served=${CUBBY_SERVED:-/srv}

option() {
  jq -r --arg name "$1" '.[$name] // empty' "$data/options.json"
}

refuse() {
  echo "Cannot start: $1" >&2
  exit 2
}

export FB_PORT=8080 FB_ROOT="$served" FB_DATABASE="$data/cubby.kv" FB_CACHE_DIR="$data/cache"

base=$(option base_folder)
case /$base/ in
  */../*) refuse "base_folder \"$base\" leads out of $served" ;;
esac
if [ -n "$base" ]; then FB_ROOT="$served/${base#/}"; fi

if [ "$(option ssl)" = true ]; then
  FB_CERT="/ssl/$(option certfile)"
  FB_KEY="/ssl/$(option keyfile)"
  export FB_CERT FB_KEY
fi

FB_USERNAME=$(option username)
FB_PASSWORD=$(option password)
export FB_USERNAME FB_PASSWORD

# Further options of the server, as lines NAME=VALUE.
while IFS= read -r line; do
  if [ -n "$line" ]; then export "${line?}"; fi
done <<END
$(jq -r '.env_vars // [] | .[] | "\(.name)=\(.value // "" | gsub("\n"; " "))"' "$data/options.json")
END

# With an argument this is the health check.
if [ $# = 0 ]; then
  former=$(option import_database)
  if [ -n "$former" ] && [ ! -e "$FB_DATABASE" ]; then
    case /$former/ in
      */../*) refuse "import_database \"$former\" leads out of $served" ;;
    esac
    cubby-files import "$served/${former#/}"
  fi

  if [ "$(option reset_password)" = true ] && [ -e "$FB_DATABASE" ]; then
    [ -n "$FB_PASSWORD" ] || refuse "reset_password needs a password"
    printf '%s' "$FB_PASSWORD" | cubby-files users update "$FB_USERNAME" --password-stdin
  fi
fi

exec cubby-files "$@"
