#!/usr/bin/env bash
# Measures an experiment on this machine, one shard of its positions after another.
#
#   experiments/scheduler/local.sh SHARDS OUT EXPERIMENT [OPTION OF measure...]
#   c4lab merge OUT/merged OUT/shard-*-of-SHARDS                              makes one folder of the shards
#
# Run it again to resume: measured cells are not measured again. Ctrl-C and TERM end the running shard, and no other
# begins. The variable C4LAB names the program c4lab, if it is not on the path.
set -uo pipefail
c4lab=${C4LAB:-c4lab} shards=$1 out=$2
shift 2
worst=0 stopped='' child=''
trap 'stopped=yes; kill -TERM "$child" 2>/dev/null' TERM
trap 'stopped=yes' INT
for ((shard = 1; shard <= shards; shard++)); do
  "$c4lab" measure "$@" --shard "$shard/$shards" --out "$out/shard-$shard-of-$shards" &
  child=$! status=0
  wait "$child" || status=$?
  # A signal ends `wait`, not the shard.
  while kill -0 "$child" 2>/dev/null; do status=0; wait "$child" || status=$?; done
  [ -z "$stopped" ] || exit "$status"
  case $status in
    0) ;;
    # Failed and wrong cells are rows, so the other shards are measured, too.
    1 | 4) [ "$worst" -ge "$status" ] || worst=$status ;;
    *) echo "shard $shard ended with status $status; run this again to resume" >&2; exit "$status" ;;
  esac
done
exit "$worst"
