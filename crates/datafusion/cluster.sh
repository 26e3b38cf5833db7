#!/usr/bin/env bash
# A cluster of Apache Ballista on this machine, with the text functions; and what it computes, checked.
#
#   crates/datafusion/cluster.sh [ROWS]        10 000 000 rows if nothing is said
#
# One scheduler and two executors, each a process of its own, on ports of loopback that are free. Two queries
# (cluster/groups.sql, cluster/kinds.sql) over Parquet files that are generated, each
#
#   1. in a single process,
#   2. on the cluster, and both executors have done some of it;
#   3. the first query again, and one executor is killed while the first stage runs, with what it had finished;
#   4. again, with a new executor, and an old one is killed while the last stage runs, so that finished output of
#      the first is lost.
#
# All results of a query have to be the same bytes. The exit status says whether they are; 3 if the machine was so
# fast that no executor could be killed in time, for which more rows help. Everything is in a directory of its
# own, which is removed in the end, as are all processes. KEEP=1 keeps the directory, with the logs.
set -euo pipefail
cd "$(dirname "$0")"

rows=${1:-10000000}
[[ $rows =~ ^[1-9][0-9]*$ ]] || { echo "usage: cluster.sh [ROWS]" >&2; exit 2; }

directory=$(mktemp -d "${TMPDIR:-/tmp}/runecast-cluster.XXXXXX")
declare -A pids=()

clean_up() {
    local status=$? pid
    trap '' INT TERM HUP
    trap - EXIT
    for pid in "${pids[@]}"; do
        kill -KILL "$pid" 2>/dev/null || true
    done
    wait 2>/dev/null || true
    if [ -n "${KEEP:-}" ]; then
        echo "kept: $directory"
    else
        rm -rf "$directory"
    fi
    exit "$status"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

fail() {
    echo "FAILED: $*" >&2
    local log
    for log in "$directory"/*.log; do
        [ -s "$log" ] && { echo "--- ${log##*/}"; tail -n 15 "$log"; } >&2
    done
    exit 1
}

# Runs a command and waits for it. In the foreground it would have to end before a signal to this script is heard.
attend() {
    "$@" &
    pids[attended]=$!
    local status=0
    wait "$!" || status=$?
    unset "pids[attended]"
    return "$status"
}

attend cargo build --locked --workspace
program=$(cargo metadata --locked --no-deps --format-version 1 |
    sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/debug/runecast-cluster
[ -x "$program" ] || fail "there is no $program"

# Starts a process under a name, and keeps its id.
start() {
    local name=$1
    shift
    "$program" "$@" >"$directory/$name.log" 2>&1 &
    pids[$name]=$!
}

mapfile -t ports < <("$program" ports 7)
[ "${#ports[@]}" = 7 ] || fail "no ports"
scheduler=df://127.0.0.1:${ports[0]}

executor() { # NUMBER
    start "executor-$1" executor --scheduler-port "${ports[0]}" --port "${ports[$((2 * $1 - 1))]}" \
        --grpc-port "${ports[$((2 * $1))]}" --directory "$directory/work-$1"
    # Its flight service listens after it has found the scheduler.
    until (exec 3<>"/dev/tcp/127.0.0.1/${ports[$((2 * $1 - 1))]}") 2>/dev/null; do
        kill -0 "${pids[executor-$1]}" 2>/dev/null || fail "executor $1 has ended"
        sleep 0.1
    done
}

query() { # NAME OUTPUT [OPTION…]
    local name=$1 output=$2
    shift 2
    attend "$program" query "$directory/data" "cluster/$name.sql" --output "$output" "$@"
}

same() { # NAME WHERE
    cmp "$directory/$1.single" "$directory/$1.$2" || fail "$1: the result is another"
    echo "$1, $2: the same $(wc -l <"$directory/$1.single") lines, $(cksum <"$directory/$1.single" | cut -d ' ' -f 1)"
}

# How many files of a stage's output an executor has: JOB/STAGE/TASK/FILE, stages by their numbers from 1 on. What a
# task of the first stage has finished has an index.
outputs() { # NUMBER STAGE PATTERN
    { compgen -G "$directory/work-$1/*/$2/*/$3" || true; } | wc -l
}

# The query, while an executor that has output of a stage is killed, with all that it had.
killed() { # NUMBER STAGE PATTERN WHERE
    local number=$1 stage=$2 pattern=$3 where=$4 client tries=0
    start "$where" query "$directory/data" cluster/groups.sql --output "$directory/groups.$where" \
        --scheduler "$scheduler" --limit "${LIMIT:-600}"
    client=${pids[$where]}
    until [ "$(outputs "$number" "$stage" "$pattern")" -gt 0 ]; do
        if ! kill -0 "$client" 2>/dev/null || [ $((tries += 1)) -gt 6000 ]; then
            wait "$client" || fail "the query"
            echo "$where: the query was done before executor $number had output of stage $stage: more rows, please" >&2
            exit 3
        fi
        sleep 0.02
    done
    kill -KILL "${pids[executor-$number]}"
    wait "${pids[executor-$number]}" 2>/dev/null || true
    unset "pids[executor-$number]"
    kill -0 "$client" 2>/dev/null || { echo "$where: the query was done too soon: more rows, please" >&2; exit 3; }
    local lost
    lost=$(outputs "$number" 1 '*.index')
    rm -rf "$directory/work-$number"
    echo "$where: executor $number killed, and what $lost tasks of the first stage had made"
    wait "$client" || fail "the query has not survived it"
    unset "pids[$where]"
    cat "$directory/$where.log"
    same groups "$where"
}

echo "== data"
attend "$program" generate "$directory/data" --rows "$rows"

echo "== in a single process"
for name in groups kinds; do
    query "$name" "$directory/$name.single" || fail "the query"
done

echo "== on a scheduler and two executors"
start scheduler scheduler --port "${ports[0]}"
executor 1
executor 2
for name in groups kinds; do
    query "$name" "$directory/$name.cluster" --scheduler "$scheduler" || fail "the query"
    same "$name" cluster
done
for number in 1 2; do
    [ "$(outputs "$number" 2 '*.arrow')" -gt 0 ] || fail "executor $number has done nothing"
done

# Of old jobs nothing is left, so that what is found is of the new one.
echo "== one is killed in the first stage"
rm -rf "$directory"/work-*/*
killed 2 1 '*.index' killed-early

echo "== a new one, and an old one is killed in the last stage"
rm -rf "$directory"/work-*/*
executor 3
killed 1 2 '*.arrow' killed-late

echo "all results are the same"
