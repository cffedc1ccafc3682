#!/bin/sh
# The entry of the image: cubby-files, which takes the place of File Browser's image where the volumes
# are those of that one, and takes its database over into a store beside it.
set -eu
if [ -f /database/filebrowser.db ]; then
  export FB_DATABASE=/database/filebrowser.db FB_IMPORT=true
  if [ -f /config/settings.json ]; then export FB_CONFIG="${FB_CONFIG:-/config/settings.json}"; fi
fi
exec cubby-files "$@"
