#!/usr/bin/env bash
# A cluster of Apache Ballista on this machine, with the text functions; and what it computes, checked.
#
#   crates/datafusion/cluster.sh [ROWS [KILLS [SEED]]]        10 000 000 rows, 20 kills, a seed of the day
#
# One scheduler and two executors, each a process of its own, on ports of loopback that are free. Two queries
# (cluster/groups.sql, cluster/kinds.sql) over Parquet files that are generated, each
#
#   1. in a single process,
#   2. on Apache Spark (the first query, if SPARK_PYTHON names a Python with runecast's wheel and pyspark), where an executor is killed;
#   3. on the cluster, and both executors have done some of it;
#   4. then the first query again and again, each time with a SIGKILL at a moment that is drawn by lot: the executors in turn, with
#      all that they had on their disks, in any stage; every fourth time while the client fetches the result; and once the
#      scheduler. What was killed is started anew.
#
# All results of a query have to be the same bytes: one wrong result, and the script ends. A query may say that it has failed, but
# 19 of 20 have to end with a result. KILLS and SEED are printed, so that a run can be repeated, as far as moments can.
# Everything is in a directory of its own, which is removed in the end, as are all processes. KEEP=1 keeps the
# directory, with the logs.
set -euo pipefail
cd "$(dirname "$0")"

rows=${1:-10000000} kills=${2:-20} seed=${3:-$(date +%j%H%M)}
[[ $rows$kills$seed =~ ^[0-9]+$ ]] || { echo "usage: cluster.sh [ROWS [KILLS [SEED]]]" >&2; exit 2; }
RANDOM=$((10#$seed))

directory=$(mktemp -d "${TMPDIR:-/tmp}/runecast-cluster.XXXXXX")
declare -A pids=()

clean_up() {
    local status=$? pid
    trap '' INT TERM HUP
    trap - EXIT
    for pid in "${pids[@]}"; do
        kill -KILL "$pid" 2>/dev/null || true
    done
    { wait; } 2>/dev/null || true
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

# (Not the package for Python: its `datafusion-ffi` does not compile beside an engine that knows Parquet.)
attend cargo build --locked --workspace --exclude runecast-datafusion-python
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

scheduler_port=$("$program" ports 1)
scheduler=df://127.0.0.1:$scheduler_port

# Waits until somebody listens at the port of a process.
listens() { # NAME PORT
    until (exec 3<>"/dev/tcp/127.0.0.1/$2") 2>/dev/null; do
        kill -0 "${pids[$1]}" 2>/dev/null || fail "$1 has ended"
        sleep 0.1
    done
}

start_scheduler() {
    start scheduler scheduler --port "$scheduler_port"
    listens scheduler "$scheduler_port"
}

# The executors that live, the oldest first; and how many there have been.
executors=()
born=0

start_executor() {
    local ports
    mapfile -t ports < <("$program" ports 2)
    [ "${#ports[@]}" = 2 ] || fail "no ports"
    born=$((born + 1))
    executors+=("$born")
    # Every other one under a name, while it listens at all addresses.
    local place=()
    [ $((born % 2)) = 0 ] || place=(--host localhost --bind 0.0.0.0)
    start "executor-$born" executor "${place[@]}" --scheduler-port "$scheduler_port" --port "${ports[0]}" --grpc-port "${ports[1]}" \
        --directory "$directory/work-$born"
    # Its flight service listens after it has found the scheduler.
    listens "executor-$born" "${ports[0]}"
}

# The shell says nothing of it.
kill_node() { # NAME
    kill -KILL "${pids[$1]}"
    wait "${pids[$1]}" 2>/dev/null || true
    unset "pids[$1]"
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

# The query, and a kill of WHAT (executor or scheduler) so many milliseconds after it began, or after it began to FETCH. What
# was killed is started anew, while the query goes on.
disturbed=0
undone=0
disturb() { # WHAT WHEN MILLISECONDS
    local what=$1 when=$2 delay=$3 name=disturbed-$((disturbed += 1)) client status=0 victim
    # Of old jobs nothing is left.
    rm -rf "$directory"/work-*/*
    start "$name" query "$directory/data" cluster/groups.sql --output "$directory/groups.$name" --scheduler "$scheduler" \
        --fetch-pause 20 --attempt-limit "${ATTEMPT_LIMIT:-120}" --limit "${LIMIT:-900}"
    client=${pids[$name]}
    if [ "$when" = fetch ]; then
        until grep -qs '^fetching' "$directory/$name.log" || ! kill -0 "$client" 2>/dev/null; do
            sleep 0.02
        done
    fi
    sleep "$((delay / 1000)).$(printf %03d $((delay % 1000)))"
    kill -0 "$client" 2>/dev/null || when="too late for $when"
    if [ "$what" = scheduler ]; then
        victim=scheduler
        kill_node scheduler
        start_scheduler
    else
        victim=executor-${executors[0]}
        kill_node "$victim"
        rm -rf "$directory/work-${executors[0]}"
        executors=("${executors[@]:1}")
        start_executor
    fi
    wait "$client" || status=$?
    unset "pids[$name]"
    echo "$name: $victim killed, $when + $delay ms: $(if [ "$status" = 0 ]; then echo "a result"; else echo "NO RESULT"; fi)"
    sed 's/^/    /' "$directory/$name.log"
    if [ "$status" = 0 ]; then
        same groups "$name"
        rm "$directory/groups.$name"
    else
        [ ! -e "$directory/groups.$name" ] || fail "a query that failed has left a result"
        undone=$((undone + 1))
    fi
}

echo "== data"
attend "$program" generate "$directory/data" --rows "$rows"

echo "== in a single process"
for name in groups kinds; do
    query "$name" "$directory/$name.single" || fail "the query"
done

echo "== on Apache Spark, where an executor is killed"
# A Python with runecast's wheel and pyspark, as `crates/python/test.sh --spark` makes one.
if [ -n "${SPARK_PYTHON:-}" ]; then
    attend "$SPARK_PYTHON" cluster/spark.py "$directory/data" "$directory/groups.single" || fail "Spark"
else
    echo "left out: SPARK_PYTHON names no Python that has runecast and pyspark"
fi

echo "== on a scheduler and two executors"
start_scheduler
start_executor
start_executor
for name in groups kinds; do
    began=${EPOCHREALTIME/[.,]/}
    query "$name" "$directory/$name.cluster" --scheduler "$scheduler" || fail "the query"
    [ "$name" = kinds ] || takes=$(((${EPOCHREALTIME/[.,]/} - began) / 1000))
    same "$name" cluster
done
for number in 1 2; do
    [ "$(outputs "$number" 2 '*.arrow')" -gt 0 ] || fail "executor $number has done nothing"
done

echo "== $kills kills at random moments of $takes ms, seed $seed"
for ((turn = 1; turn <= kills; turn++)); do
    # RANDOM has 15 bits.
    lot=$((RANDOM * 32768 + RANDOM))
    if [ "$turn" = $(((kills + 1) / 2)) ]; then
        disturb scheduler start $((lot % takes))
    elif [ $((turn % 4)) = 0 ]; then
        disturb executor fetch $((lot % 400))
    else
        disturb executor start $((lot % takes))
    fi
done

[ $((undone * 20)) -le "$kills" ] || fail "$undone of $kills queries had no result"
echo "all results are the same; $undone of $kills queries had none"
