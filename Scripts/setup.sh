#!/usr/bin/env bash
# Installs what the build and the tests need and the machine lacks, and says what it does.
#   setup.sh build   what the package links against
#   setup.sh test    also what the tests start or read: a broker and the fonts
set -euo pipefail

packages=(
    libwebsockets-dev libcurl4-openssl-dev libsqlite3-dev libssl-dev libpango1.0-dev pkg-config
)
if [ "${1:-build}" = test ]; then
    packages+=(rabbitmq-server)
    # The pinned fonts: 80 MB to fetch, of which those of East Asia are 57.
    packages+=(fonts-dejavu-core fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji)
    # For Scripts/flags-oracle.sh; any Python that can make environments will do.
    python3 -c 'import venv, ensurepip' 2>/dev/null || packages+=(python3 python3-venv)
fi

command -v swift >/dev/null || {
    echo "setup: no Swift toolchain on the PATH; install Swift 6.2 or later first" >&2
    exit 1
}

if [ "$(uname)" = Darwin ]; then
    # Apple platforms need the SDK alone; the server and the programs are for Linux.
    exit 0
fi

missing=()
for package in "${packages[@]}"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
        missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

run=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
        echo "setup: missing packages ${missing[*]}; install them as root" >&2
        exit 1
    }
    run=(sudo)
fi

echo "setup: installing ${missing[*]}"

# The broker's package would start a node of its own; the tests start a private one instead.
policy=/usr/sbin/policy-rc.d
placed=no
if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' | "${run[@]}" tee "$policy" >/dev/null
    "${run[@]}" chmod +x "$policy"
    placed=yes
fi
finish() { [ "$placed" = no ] || "${run[@]}" rm -f "$policy"; }
trap finish EXIT

"${run[@]}" apt-get update -qq
DEBIAN_FRONTEND=noninteractive "${run[@]}" apt-get install -y -qq --no-install-recommends \
    "${missing[@]}" >/dev/null
