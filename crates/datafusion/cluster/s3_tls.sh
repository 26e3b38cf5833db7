#!/usr/bin/env bash
# A cluster of Apache Ballista whose files are in an object store, and whose nodes speak TLS; and what it computes, checked.
#
#   crates/datafusion/cluster/s3_tls.sh [ROWS]                200 000 rows
#
# A server that speaks as S3 does, on loopback: moto's, which is installed into an environment of its own if MOTO_PYTHON names no Python
# that has `moto[server]` and `boto3`. Generated Parquet files are uploaded, and removed from the disk. A scheduler and two executors, each
# with a certificate, run two queries over them, and results have to be the same bytes as those of one process over the files. It does not
# check signatures of requests: what is tried is that all nodes find the store, not that it refuses anybody.
#
# Then what must not work: a client without TLS, without a certificate, or with one of another authority; a scheduler under a name
# that is not in its certificate; a bucket that is not there.
# The exit status is 0 passed, 77 skipped for lack of a server or of openssl, anything else failed. KEEP=1 keeps the directory, with
# the logs.
set -euo pipefail
cd "$(dirname "$0")/.."

rows=${1:-200000}
[[ $rows =~ ^[0-9]+$ ]] || { echo "usage: s3_tls.sh [ROWS]" >&2; exit 2; }
directory=$(mktemp -d "${TMPDIR:-/tmp}/runecast-s3-tls.XXXXXX")
pids=()

clean_up() {
    local status=$? pid
    trap - EXIT
    for pid in "${pids[@]}"; do
        kill -KILL "$pid" 2>/dev/null || true
    done
    { wait; } 2>/dev/null || true
    [ -n "${KEEP:-}" ] && echo "kept: $directory" || rm -rf "$directory"
    exit "$status"
}
trap clean_up EXIT
trap 'exit 130' INT TERM HUP

fail() {
    echo "FAILED: $*" >&2
    local log
    for log in "$directory"/*.log; do
        [ -s "$log" ] && { echo "--- ${log##*/}"; tail -n 15 "$log"; } >&2
    done
    exit 1
}

skip() {
    echo "skipped: $*"
    exit 77
}

command -v openssl >/dev/null || skip "no openssl"
python=${MOTO_PYTHON:-}
if [ -z "$python" ]; then
    python3 -m venv "$directory/environment" || skip "no Python with venv"
    python=$directory/environment/bin/python
    "$python" -m pip install --quiet --disable-pip-version-check --retries 1 --timeout 20 'moto[server]' boto3 ||
        skip "moto could not be installed"
fi
"$python" -c 'import boto3, moto.server' || skip "$python has no moto[server] and boto3"

cargo build --locked -p runecast-cluster --features s3,tls
program=$(cargo metadata --locked --no-deps --format-version 1 |
    sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/debug/runecast-cluster
mapfile -t ports < <("$program" ports 6)

start() { # NAME COMMAND…
    local name=$1
    shift
    "$@" >"$directory/$name.log" 2>&1 &
    pids+=("$!")
}

listens() { # PORT
    local attempt
    for ((attempt = 0; attempt < 300; attempt++)); do
        (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null && return
        sleep 0.1
    done
    fail "nobody listens at $1"
}

echo "== certificates"
authority() { # NAME
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "/CN=$1" \
        -keyout "$directory/$1.key" -out "$directory/$1.pem" 2>/dev/null
}
node() { # AUTHORITY DIRECTORY: for a node of that authority, which trusts the first one
    mkdir "$directory/$2"
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=$2" \
        -keyout "$directory/$2/node.key" -out "$directory/$2.csr" 2>/dev/null
    openssl x509 -req -in "$directory/$2.csr" -CA "$directory/$1.pem" -CAkey "$directory/$1.key" -CAcreateserial -days 2 \
        -extfile <(echo "subjectAltName = DNS:localhost") -out "$directory/$2/node.pem" 2>/dev/null
    cp "$directory/authority.pem" "$directory/$2/ca.pem"
}
authority authority
authority stranger
node authority nodes
node stranger strangers

echo "== data, and the result of one process over files"
"$program" generate "$directory/data" --rows "$rows" --files 8
for name in groups kinds; do
    "$program" query "$directory/data" "cluster/$name.sql" --output "$directory/$name.single"
done

echo "== an object store"
export AWS_ENDPOINT=http://127.0.0.1:${ports[0]} AWS_ALLOW_HTTP=true AWS_REGION=us-east-1
export AWS_ACCESS_KEY_ID=key AWS_SECRET_ACCESS_KEY=secret
unset AWS_SESSION_TOKEN AWS_PROFILE http_proxy https_proxy HTTP_PROXY HTTPS_PROXY all_proxy ALL_PROXY
start s3 "$python" -m moto.server -H 127.0.0.1 -p "${ports[0]}"
listens "${ports[0]}"
"$python" - "$directory/data" "$AWS_ENDPOINT" <<'EOF'
import pathlib, sys, boto3
store = boto3.client("s3", endpoint_url=sys.argv[2])
store.create_bucket(Bucket="texts")
for file in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    store.upload_file(str(file), "texts", f"lines/{file.name}")
EOF
rm -r "$directory/data"

echo "== a scheduler and two executors, by TLS"
scheduler=df://localhost:${ports[1]}
start scheduler "$program" scheduler --host localhost --bind 127.0.0.1 --port "${ports[1]}" --tls "$directory/nodes"
listens "${ports[1]}"
for number in 1 2; do
    start "executor-$number" "$program" executor --host localhost --bind 127.0.0.1 --scheduler-host localhost --scheduler-port "${ports[1]}" --port "${ports[number * 2]}" \
        --grpc-port "${ports[number * 2 + 1]}" --directory "$directory/work-$number" --tls "$directory/nodes"
    listens "${ports[number * 2]}"
done

query() { # NAME OUTPUT ARGUMENT…
    local name=$1 output=$2
    shift 2
    "$program" query s3://texts/lines/ "cluster/$name.sql" --output "$output" "$@"
}
for name in groups kinds; do
    query "$name" "$directory/$name.store" || fail "one process"
    cmp "$directory/$name.single" "$directory/$name.store" || fail "$name, one process over the store: another result"
    query "$name" "$directory/$name.cluster" --scheduler "$scheduler" --tls "$directory/nodes" || fail "the cluster"
    cmp "$directory/$name.single" "$directory/$name.cluster" || fail "$name, the cluster: another result"
    echo "$name: the same $(wc -l <"$directory/$name.single") lines"
done
for number in 1 2; do
    compgen -G "$directory/work-$number/*/2/*/*.arrow" >/dev/null || fail "executor $number has done nothing"
done
grep -q 'GET /texts/lines/' "$directory/s3.log" || fail "nothing was read from the store"

echo "== what must not work"
refused() { # NAME WORDS COMMAND…: it fails, and says so
    local name=$1 words=$2 log=$directory/refused.log
    shift 2
    if "$@" >"$log" 2>&1; then
        fail "$name: this worked"
    fi
    grep -qiE "$words" "$log" || fail "$name: other words than /$words/"
    echo "$name: $(grep -m 1 -oiE ".{0,80}($words).{0,40}" "$log")"
}
cluster() { # SCHEDULER OPTION…: one attempt
    "$program" query s3://texts/lines/ cluster/groups.sql --output "$directory/refused" --attempts 1 --attempt-limit 8 \
        --limit 30 --scheduler "$@"
}
refused "a client without TLS" "no result" cluster "$scheduler"
refused "a client of another authority" "no result" cluster "$scheduler" --tls "$directory/strangers"
refused "a name that the certificate lacks" "no result" cluster "df://127.0.0.1:${ports[1]}" --tls "$directory/nodes"
refused "a bucket that is not there" "bucket|not found" "$program" query s3://nowhere/lines/ cluster/groups.sql \
    --output "$directory/refused"
[ ! -e "$directory/refused" ] || fail "a query that was refused has a result"

# What a server says is told by others, too. With TLS 1.3 it is said when the client has finished its own part.
handshake() { # PORT OPTION…
    (sleep 1) | openssl s_client -connect "localhost:$1" -alpn h2 -CAfile "$directory/authority.pem" "${@:2}" 2>&1 || true
}
for number in 1 2 4; do
    handshake "${ports[number]}" >"$directory/nobody.log"
    handshake "${ports[number]}" -cert "$directory/strangers/node.pem" -key "$directory/strangers/node.key" >"$directory/stranger.log"
    handshake "${ports[number]}" -cert "$directory/nodes/node.pem" -key "$directory/nodes/node.key" >"$directory/node.log"
    grep -q 'certificate required' "$directory/nobody.log" || fail "who has no certificate is not refused at ${ports[number]}"
    grep -qE 'alert (unknown ca|decrypt error|bad certificate)' "$directory/stranger.log" ||
        fail "a certificate of another authority is not refused"
    grep -q 'Verify return code: 0' "$directory/node.log" || fail "the server has no certificate of the authority"
    ! grep -q 'alert' "$directory/node.log" || fail "a node is refused"
done
echo "no certificate, or one of another authority: refused by the scheduler and both executors"
