#!/usr/bin/env bash
#SBATCH --job-name=c4lab
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --mem=0
#SBATCH --exclusive
#SBATCH --requeue
#SBATCH --signal=B:TERM@60
#SBATCH --open-mode=append
#SBATCH --output=c4lab-%A-%a.log
# Measures an experiment on a cluster: a shard of its positions for each task of a job array, and a whole node for each
# task.
#
#   sbatch --array=1-8 --time=04:00:00 experiments/scheduler/slurm.sh OUT EXPERIMENT [OPTION OF measure...]
#   c4lab merge OUT/merged OUT/shard-*-of-8                              makes one folder of the shards
#
# A minute before the time is up Slurm sends TERM. `measure` ends its search and keeps its rows, and the task goes back
# into the queue. All nodes share OUT and need the same c4lab, which the variable C4LAB names, if it is not on the path.
# On a cluster with several kinds of nodes, --constraint keeps a requeued task on its kind. No variant may have more
# threads than --cpus-per-task.
set -uo pipefail
c4lab=${C4LAB:-c4lab} out=$1
shift
[ "$SLURM_ARRAY_TASK_MIN" = 1 ] || { echo "the array must be 1-N" >&2; exit 2; }
shard=$SLURM_ARRAY_TASK_ID shards=$SLURM_ARRAY_TASK_MAX
folder=$out/shard-$shard-of-$shards
rows() { { wc -l <"$folder/samples.csv"; } 2>/dev/null || echo 0; }

before=$(rows) asked='' child=''
trap 'asked=yes; kill -TERM "$child" 2>/dev/null' TERM
"$c4lab" measure "$@" --shard "$shard/$shards" --out "$folder" &
child=$! status=0
[ -z "$asked" ] || kill -TERM "$child"
wait "$child" || status=$?
# A signal ends `wait`, not the shard.
while [ -n "$asked" ]; do
  asked='' status=0
  wait "$child" || status=$?
done

if [ "$status" = 5 ]; then
  if [ "$(rows)" != "$before" ]; then
    echo "shard $shard has missing cells: back into the queue" >&2
    scontrol requeue "$SLURM_JOB_ID"
  else
    echo "shard $shard: no cell was measured in the time of the job; give it more time" >&2
  fi
fi
exit "$status"
