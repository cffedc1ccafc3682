#!/bin/bash
# The parts of dietpi/dietpi-software for Cubby. Each function is the content of one block there; the
# README of deploy/catalogues names the other files. DietPi assigns the id.

# Software list
# shellcheck disable=SC2034,SC2004
List_Cubby() {
		software_id=219
		aSOFTWARE_NAME[$software_id]='Cubby'
		aSOFTWARE_DESC[$software_id]='web based file manager, successor of File Browser'
		aSOFTWARE_CATX[$software_id]=4
		aSOFTWARE_DOCS[$software_id]='https://dietpi.com/docs/software/cloud/#cubby'
		# - ARMv6
		aSOFTWARE_AVAIL_G_HW_ARCH[$software_id,1]=0
		# - ARMv7
		aSOFTWARE_AVAIL_G_HW_ARCH[$software_id,2]=0
		# - RISC-V
		aSOFTWARE_AVAIL_G_HW_ARCH[$software_id,11]=0
}

# Installation
Install_Cubby() {
		if To_Install 219 cubby # Cubby
		then
			case $G_HW_ARCH in
				3) local arch='arm64';;
				*) local arch='x64';;
			esac

			# Download
			local fallback_url="@RELEASE@/@TARBALL_ARCH@"
			Download_Install "$(curl -sSfL '@API@/releases/latest' | grep -Po "\"browser_download_url\": *\"\K[^\"]*@ASSET_ARCH@(?=\")")" ./cubby/

			# Reinstall
			[[ -d '/opt/cubby' ]] && G_EXEC rm -R /opt/cubby

			# Install: the archive has one folder
			G_EXEC mv cubby/* /opt/cubby
			G_EXEC rm -R cubby
			G_EXEC chown -R root:root /opt/cubby
			# - Once for all starts
			G_EXEC_DESC='Compiling Cubby' G_EXEC /opt/cubby/cubby-files compile

			# User
			G_EXEC mkdir -p /mnt/dietpi_userdata/cubby
			Create_User -g dietpi -d /mnt/dietpi_userdata/cubby cubby

			# Config if not exist
			if [[ ! -f '/mnt/dietpi_userdata/cubby/cubby.kv' ]]
			then
				if [[ -f '/mnt/dietpi_userdata/filebrowser/filebrowser.db' ]]
				then
					# From File Browser: the database stays as it is
					G_EXEC_DESC='Importing the users, settings and shares of File Browser' G_EXEC /opt/cubby/cubby-files import /mnt/dietpi_userdata/filebrowser/filebrowser.db -d /mnt/dietpi_userdata/cubby/cubby.kv
				elif ! /opt/cubby/cubby-files users add dietpi --password-stdin --perm.admin -d /mnt/dietpi_userdata/cubby/cubby.kv <<< "$GLOBAL_PW"
				then
					G_DIETPI-NOTIFY 2 'Cubby does not accept the software password. Its first start prints another one for the user "dietpi": journalctl -u cubby'
				fi
			fi

			# Permissions
			G_EXEC chown -R cubby:root /mnt/dietpi_userdata/cubby
			G_EXEC chmod 0750 /mnt/dietpi_userdata/cubby

			# Service
			cat << '_EOF_' > /etc/systemd/system/cubby.service
[Unit]
Description=Cubby (DietPi)
Documentation=@REPOSITORY@
Wants=network-online.target
After=network-online.target remote-fs.target

[Service]
Type=exec
User=cubby
UMask=002
Environment=FB_ADDRESS=0.0.0.0 FB_PORT=8094 FB_ROOT=/mnt FB_USERNAME=dietpi
Environment=FB_DATABASE=/mnt/dietpi_userdata/cubby/cubby.kv
Environment=FB_CACHE_DIR=/mnt/dietpi_userdata/cubby/cache
ExecStart=/opt/cubby/cubby-files
TimeoutStopSec=20
ReadWritePaths=/mnt
@HARDENING@

[Install]
WantedBy=multi-user.target
_EOF_
		fi
}

# Removal
Uninstall_Cubby() {
		if To_Uninstall 219 # Cubby
		then
			Remove_Service cubby 1
			[[ -d '/opt/cubby' ]] && G_EXEC rm -R /opt/cubby
			[[ -d '/mnt/dietpi_userdata/cubby' ]] && G_EXEC rm -R /mnt/dietpi_userdata/cubby
		fi
}
