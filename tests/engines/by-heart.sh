#!/bin/sh
# The smallest engine: it knows the answers of a test set by heart. Usage: by-heart.sh SET, or by-heart.sh --version.
#
# It reads a position a line and answers a line, as c4lab expects it unless told otherwise:
#   44455554221        ->   44455554221 -15
if [ "$1" = --version ]; then
  echo "by-heart 1.0"
  exit
fi
echo "by-heart has started" >&2
while read -r moves; do
  score=$(grep "^$moves " "$1" | cut -d ' ' -f 2)
  echo "$moves $score"
done
