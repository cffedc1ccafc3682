#!/bin/bash

# Lets the server read the program and its settings, and write its store and the files only.
set_permissions() {
    mkdir -p "$install_dir/store"
    chown -R "root:$app" "$install_dir"
    chmod -R u=rwX,g=rX,o= "$install_dir"
    chown -R "$app:$app" "$install_dir/store" "$data_dir"
    chmod 700 "$install_dir/store"
}

# Writes the settings, for the current path of the site.
add_settings() {
    # shellcheck disable=SC2034 # a variable of the template
    base_url="${path%/}"
    ynh_config_add --template="cubby.env" --destination="$install_dir/cubby.env"
}

# Imports the database of a Filebrowser installation, and copies its files: $1 is its id.
import_filebrowser() {
    local former=$1 former_dir former_root needed free
    former_dir=$(ynh_app_setting_get --app="$former" --key=install_dir)
    [ -f "$former_dir/filebrowser.db" ] || ynh_die "$former has no database in $former_dir"
    # The administrator may have changed the folder there.
    former_root=$(jq -r '.root // empty' "$former_dir/settings.json")
    [ -d "$former_root" ] || former_root=$(ynh_app_setting_get --app="$former" --key=data_dir)

    needed=$(du -s --block-size=1M "$former_root" | cut -f1)
    free=$(df --output=avail --block-size=1M "$data_dir" | tail -n1)
    if [ "$free" -lt $((needed + 500)) ]; then
        ynh_die "The copy of $former_root needs $needed MB, and $free MB are free in $data_dir"
    fi

    # Stopped, so that the copies are whole. It runs again afterwards, also after a failure.
    ynh_systemctl --service="$former" --action="stop"
    local failed=no
    FB_ROOT="$data_dir" "$install_dir/program/cubby-files" import "$former_dir/filebrowser.db" \
        --database "$install_dir/store/cubby.kv" || failed=yes
    [ "$failed" = yes ] || cp -a --reflink=auto "$former_root/." "$data_dir/" || failed=yes
    ynh_systemctl --service="$former" --action="start"
    [ "$failed" = no ] || ynh_die "$former could not be imported; it runs as before"
}
