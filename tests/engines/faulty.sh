#!/bin/sh
# Engines with faults instead of answers. Usage: faulty.sh FAULT, or faulty.sh FAULT --version.
if [ "$2" = --version ]; then
  echo "faulty $1"
  exit
fi
echo "$1 has started" >&2
case $1 in
  slow) while read -r moves; do sleep 30; echo "$moves 0"; done ;;
  silent) while read -r moves; do :; done; sleep 30 ;;
  crashing) while read -r moves; do kill -SEGV $$; done ;;
  leaving) read -r moves; exit 3 ;;
  gone) exit 0 ;;
  lying) while read -r moves; do echo "$moves 21"; done ;;
  garbling) while read -r moves; do echo "the score of $moves is hard to tell"; done ;;
  confusing) while read -r moves; do echo "1$moves 0"; done ;;
  flooding) while :; do echo "0123456789 and so on"; done ;;
  endless) while :; do printf '0123456789 and so on'; done ;;
  twice) while read -r moves; do printf '%s 0\n%s 0\n' "$moves" "$moves"; done ;;
  binary) while read -r moves; do printf '\377\376\000\n'; done ;;
  deaf) exec <&-; sleep 30 ;;
  half) while read -r moves; do printf '%s' "$moves"; sleep 30; done ;;
  torn) read -r moves; printf '%s' "$moves" ;;
  stubborn) trap '' TERM INT HUP; while :; do sleep 30; done ;;
  parent) sleep 30 & while read -r moves; do wait; done ;;
  *) echo "no such fault: $1" >&2; exit 2 ;;
esac
