#!/usr/bin/env bash
# Measures an experiment on machines that GNU parallel reaches: one shard of its positions at a time on each.
#
#   PARALLEL='--sshloginfile hosts --workdir .' experiments/scheduler/parallel.sh SHARDS OUT EXPERIMENT [OPTION OF
#   measure...]
#   c4lab merge OUT/merged OUT/shard-*-of-SHARDS                              makes one folder of the shards
#
# Run it again to resume. All machines share OUT and need the same c4lab, which the variable C4LAB names, if it is not
# on the path. Names must not have braces, which parallel replaces.
set -uo pipefail
c4lab=${C4LAB:-c4lab} shards=$1 out=$2
shift 2
mkdir -p "$out" || exit
seq "$shards" | parallel --quote --jobs 1 --joblog "$out/jobs-$shards.log" --resume-failed --line-buffer --termseq TERM,60000,KILL,25 \
  "$c4lab" measure "$@" --shard "{}/$shards" --out "$out/shard-{}-of-$shards"
