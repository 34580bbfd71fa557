#!/bin/sh
# An engine that looks up the answers of a test set, with an odd protocol. Usage: odd.sh SET WAY [MOVES], or odd.sh --version.
if [ "$1" = --version ]; then
  echo "odd 1.0"
  exit
fi
set=$1
way=$2

# The number of the line, for the program whose every fourth answer is wrong.
number=0

# answer MOVES ASKED: the answer to a position. MOVES has columns from 1, ASKED is the request. Unknown positions are draws.
answer() {
  awk -v moves="$1" -v asked="$2" -v way="$way" -v number="$number" '
    $1 == moves { score = $2 }
    END {
      score += 0
      count = length(moves)
      sign = score > 0 ? 1 : score < 0 ? -1 : 0
      if (way == "plies") {
        last = 43 - 2 * sign * score
        if ((last % 2 == count % 2) != (sign > 0)) last--
        if (sign) score = sign * (last - count + 1)
      }
      if (way == "first" && count % 2) score = -score
      if (way == "words") score = sign > 0 ? "win" : sign < 0 ? "loss" : "draw"
      if (way == "wrong" && count == 37) score++
      if (way == "stateful" && number % 4 == 0) score++
      if (way == "nonsense") score = length(moves) * 7 % 5 + 40
      if (way == "move") score = count % 7 + 1
      if (way == "chatty") print "searching"
      if (way == "spaced") print "result:", score, "visited", count * 10 "n"
      else if (way == "bare" || way == "chatty" || way == "move") print score
      else print asked, score
    }' "$set"
}

case $way in
  arguments) answer "$3" "$3" ;;
  once) read -r moves && answer "$moves" "$moves" ;;
  unflushed) said=$(while read -r moves; do answer "$moves" "$moves"; done) && echo "$said" ;;
  silent) while read -r moves; do :; done ;;
  crash) exit 3 ;;
  fifth) for count in 1 2 3 4; do read -r moves && answer "$moves" "$moves"; done; read -r moves; kill -SEGV $$ ;;
  endless) while :; do echo "Enter a column:"; done ;;
  *)
    if [ "$way" = greeting ]; then echo "odd is ready"; fi
    while read -r moves; do
      number=$((number + 1))
      if [ "$way" = zero ] || [ "$way" = plies ]; then
        answer "$(echo "$moves" | tr 0123456 1234567)" "$moves"
      else
        answer "$moves" "$moves"
      fi
    done
    ;;
esac
