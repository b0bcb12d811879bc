#!/bin/sh
# Installs the peers that the benchmarks compare against, and says what it does. Everything that is
# built goes to .build/peers; nothing else in the checkout changes.
set -eu
cd "$(dirname "$0")/../.."
built=.build/peers
mkdir -p "$built"

say() { printf 'peers: %s\n' "$*" >&2; }

missing=""
command -v javac >/dev/null 2>&1 || missing="$missing openjdk-17-jdk-headless"
[ -e /usr/share/java/netty-codec-stomp.jar ] || missing="$missing libnetty-java"
python3 -c 'import venv, ensurepip' >/dev/null 2>&1 || missing="$missing python3-venv"
if [ -n "$missing" ]; then
    if ! command -v apt-get >/dev/null 2>&1; then
        say "please install:$missing"
        exit 1
    fi
    say "installing$missing with apt-get"
    as_root=""
    [ "$(id -u)" -eq 0 ] || as_root=sudo
    $as_root apt-get update -qq
    # shellcheck disable=SC2086 # a list of packages
    $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends $missing >&2
fi

jars=""
for part in codec-stomp codec transport resolver buffer common; do
    jars="$jars:/usr/share/java/netty-$part.jar"
done
jars=${jars#:}
say "compiling the Netty harness"
javac -nowarn -cp "$jars" -d "$built/netty" Benchmarks/Peers/StompNetty.java
cat > "$built/stomp-netty" <<EOF
#!/bin/sh
exec java -Xms512m -Xmx512m -cp "$jars:$PWD/$built/netty" StompNetty "\$@"
EOF
chmod +x "$built/stomp-netty"

if [ ! -x "$built/venv/bin/python" ]; then
    say "making a Python environment and installing stomp.py in it"
    python3 -m venv "$built/venv"
fi
"$built/venv/bin/python" -c 'import stomp' 2>/dev/null \
    || "$built/venv/bin/pip" install --quiet --disable-pip-version-check 'stomp.py==8.2.0' >&2
cat > "$built/stomp-py" <<EOF
#!/bin/sh
exec "$PWD/$built/venv/bin/python" "$PWD/Benchmarks/Peers/stomp_py.py" "\$@"
EOF
chmod +x "$built/stomp-py"
"$built/venv/bin/python" -c 'import openfeature.contrib.tools.flagd.core' 2>/dev/null \
    || "$built/venv/bin/pip" install --quiet --disable-pip-version-check \
        'openfeature-flagd-core==1.0.0' >&2
cat > "$built/flagd-py" <<EOF
#!/bin/sh
exec "$PWD/$built/venv/bin/python" "$PWD/Benchmarks/Peers/flagd_py.py" "\$@"
EOF
chmod +x "$built/flagd-py"
say "ready in $built"
