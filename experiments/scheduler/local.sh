#!/usr/bin/env bash
# An experiment on this machine, one shard of its positions after another.
#
#   experiments/scheduler/local.sh SHARDS OUT EXPERIMENT [OPTION OF measure...]
#   c4lab campaign status EXPERIMENT OUT/shard-*-of-SHARDS [-- OPTION...]     how much is there
#   c4lab merge OUT/merged OUT/shard-*-of-SHARDS                              one folder, when nothing is missing
#
# Run it again to go on: what is there is not measured again. Ctrl-C and TERM end the shard that runs, and all that would follow.
# The variable C4LAB names c4lab unless it stands on the path.
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
  # A signal ends the waiting, not the shard.
  while kill -0 "$child" 2>/dev/null; do status=0; wait "$child" || status=$?; done
  [ -z "$stopped" ] || exit "$status"
  case $status in
    0) ;;
    # Cells that failed or are wrong are rows: the other shards go on.
    1 | 4) [ "$worst" -ge "$status" ] || worst=$status ;;
    *) echo "shard $shard ended with status $status; to go on, run this again" >&2; exit "$status" ;;
  esac
done
exit "$worst"
