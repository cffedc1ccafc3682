#!/bin/sh
# The entry point of the image: cubby-files. With the volumes of File Browser's image, it imports the
# database into a store next to it.
set -eu
if [ -f /database/filebrowser.db ]; then
  export FB_DATABASE=/database/filebrowser.db FB_IMPORT=true
  if [ -f /config/settings.json ]; then export FB_CONFIG="${FB_CONFIG:-/config/settings.json}"; fi
fi
exec cubby-files "$@"
