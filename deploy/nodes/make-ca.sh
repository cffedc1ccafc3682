#!/bin/sh
# Makes an authority of one's own, and a certificate of it for a store: sh make-ca.sh HOST FOLDER
# writes ca.crt, ca.key, HOST.crt and HOST.key. It never replaces a file. Keep ca.key elsewhere.
set -eu

if [ $# -ne 2 ]; then
  echo "Usage: make-ca.sh HOST FOLDER" >&2
  exit 2
fi
host=$1
folder=$2

case $host in
  "" | *[!A-Za-z0-9.-]*)
    echo "Cannot make a certificate for \"$host\": expected a host name" >&2
    exit 2
    ;;
esac
mkdir -p "$folder"
for name in ca.crt ca.key "$host.crt" "$host.key"; do
  if [ -e "$folder/$name" ]; then
    echo "Cannot write \"$folder/$name\": it exists already" >&2
    exit 1
  fi
done

umask 077
cd "$folder"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 \
  -keyout ca.key -out ca.crt -subj "/CN=Cubby store authority" \
  -addext "basicConstraints=critical,CA:TRUE" -addext "keyUsage=critical,keyCertSign,cRLSign"
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
  -keyout "$host.key" -out "$host.csr" -subj "/CN=$host"
printf 'subjectAltName=DNS:%s\nbasicConstraints=critical,CA:FALSE\nextendedKeyUsage=serverAuth\n' \
  "$host" >"$host.ext"
openssl x509 -req -in "$host.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days 825 \
  -extfile "$host.ext" -out "$host.crt"
rm -f "$host.csr" "$host.ext" ca.srl
chmod 0644 ca.crt "$host.crt"
