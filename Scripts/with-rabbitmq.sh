#!/usr/bin/env bash
# Runs a command beside a private RabbitMQ with Web-STOMP: on free ports of the loopback, in a
# temporary directory, ended and removed afterwards. The command finds
#   REJOIN_RABBITMQ_URL      the WebSocket URL, such as ws://127.0.0.1:23456/ws
#   REJOIN_RABBITMQ_CONTROL  a program with the commands `stop` and `start`, for tests that take
#                            the broker away in mid-conversation
# Without an installed broker the command runs all the same: the broker tests then say loudly that
# they are skipped, and fail in CI.
set -euo pipefail

if [ $# -eq 0 ]; then
    echo "usage: Scripts/with-rabbitmq.sh COMMAND [ARGUMENT...]" >&2
    exit 2
fi

# The program itself, not the wrapper in /usr/sbin, which wants to be root or `rabbitmq`.
server=
for candidate in /usr/lib/rabbitmq/bin/rabbitmq-server \
    "$(command -v brew >/dev/null && brew --prefix rabbitmq 2>/dev/null || true)/sbin/rabbitmq-server"; do
    if [ -x "$candidate" ]; then
        server=$candidate
        break
    fi
done
if [ -z "$server" ]; then
    echo "with-rabbitmq: no rabbitmq-server found; install it (Debian: rabbitmq-server)" >&2
    exec "$@"
fi

free_port() {
    local port
    while :; do
        port=$((20000 + RANDOM % 12000))
        # A refused connection means that nobody listens.
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
    done
    echo "$port"
}

directory=$(mktemp -d "${TMPDIR:-/tmp}/rejoin-rabbitmq.XXXXXX")
amqp=$(free_port)
stomp=$(free_port)
web=$(free_port)
distribution=$(free_port)
epmd=$(free_port)

mkdir "$directory/mnesia" "$directory/log" "$directory/home"
cat >"$directory/rabbitmq.conf" <<CONFIGURATION
listeners.tcp.local = 127.0.0.1:$amqp
stomp.listeners.tcp.1 = 127.0.0.1:$stomp
web_stomp.tcp.listener = 127.0.0.1:$web
log.console = false
log.file.level = info
CONFIGURATION
echo '[rabbitmq_web_stomp].' >"$directory/enabled_plugins"

# One program for this script and for the tests.
cat >"$directory/control" <<CONTROL
#!/usr/bin/env bash
set -euo pipefail
directory=$directory
export HOME=\$directory/home
export RABBITMQ_NODENAME=rejoin-$web@localhost
export RABBITMQ_MNESIA_BASE=\$directory/mnesia
export RABBITMQ_LOG_BASE=\$directory/log
export RABBITMQ_CONFIG_FILE=\$directory/rabbitmq.conf
export RABBITMQ_ENABLED_PLUGINS_FILE=\$directory/enabled_plugins
export RABBITMQ_DIST_PORT=$distribution
export ERL_EPMD_PORT=$epmd
export ERL_EPMD_ADDRESS=127.0.0.1
export ERL_CRASH_DUMP=\$directory/erl_crash.dump

listens() { (exec 3<>/dev/tcp/127.0.0.1/$web) 2>/dev/null; }

running() {
    [ -f "\$directory/pid" ] || return 1
    local pid
    pid=\$(cat "\$directory/pid")
    kill -0 "\$pid" 2>/dev/null || return 1
    # Ended, and only not buried yet by a parent that does not care.
    ! grep -qs '^State:.Z' "/proc/\$pid/status"
}

case "\${1:-}" in
start)
    running && exit 0
    # The broker must not keep what its starter has open: Foundation's \`Process\` waits until the
    # last holder of a certain descriptor has gone.
    for descriptor in /dev/fd/*; do
        descriptor=\${descriptor##*/}
        case \$descriptor in
        0 | 1 | 2 | 255) ;;
        *) eval "exec \$descriptor>&-" ;;
        esac
    done
    # Nor may it keep the blocked signals of a thread of the tests: it would never hear SIGTERM.
    nohup perl -MPOSIX=sigprocmask,SIG_SETMASK \\
        -e 'sigprocmask(SIG_SETMASK, POSIX::SigSet->new); exec @ARGV' "$server" \\
        >"\$directory/log/console" 2>&1 </dev/null &
    echo \$! >"\$directory/pid"
    for _ in \$(seq 600); do
        listens && exit 0
        running || break
        sleep 0.1
    done
    echo "with-rabbitmq: the broker did not start; its log ends:" >&2
    tail -n 20 "\$directory"/log/* >&2
    exit 1
    ;;
stop)
    running || exit 0
    kill -TERM "\$(cat "\$directory/pid")"
    for _ in \$(seq 600); do
        running || { rm -f "\$directory/pid"; exit 0; }
        sleep 0.1
    done
    kill -KILL "\$(cat "\$directory/pid")"
    rm -f "\$directory/pid"
    ;;
*)
    echo "usage: control start|stop" >&2
    exit 2
    ;;
esac
CONTROL
chmod +x "$directory/control"

finish() {
    "$directory/control" stop || true
    # Erlang's port mapper outlives its nodes. This one listens on a port of our own.
    ERL_EPMD_PORT=$epmd epmd -kill >/dev/null 2>&1 || true
    rm -rf "$directory"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

"$directory/control" start
export REJOIN_RABBITMQ_URL="ws://127.0.0.1:$web/ws"
export REJOIN_RABBITMQ_CONTROL="$directory/control"
echo "with-rabbitmq: RabbitMQ listens at $REJOIN_RABBITMQ_URL"

status=0
"$@" || status=$?
exit "$status"
