# Shared functions of .ci/run and .ci/full, which source this file from the top of the tree.
# shellcheck shell=bash
export CARGO_TERM_COLOR=never

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
: >"$out/skipped" >"$out/times"
failed=()
step='' began=0 cpu_began=0

# step NAME: ends the step before and begins a step. The times of steps are kept for `table`.
step() {
  local now
  # `times` runs in this shell, because a subshell has no times. Its second line is for all commands that have ended.
  times >"$out/cpu"
  now=$(awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, part, "[ms]"); sum += 60 * part[1] + part[2] } printf "%d", sum }' "$out/cpu")
  [ -z "$step" ] || printf '%s\t%d\t%d\n' "$step" $((SECONDS - began)) $((now - cpu_began)) >>"$out/times"
  step=$1 began=$SECONDS cpu_began=$now
  [ -z "$1" ] || printf '\n== %s (%ss)\n' "$1" "$SECONDS"
}

# table: prints the time of each step. No time is a failure.
table() {
  step ''
  printf '\n%-58s %7s %7s\n' step 'wall s' 'CPU s'
  awk -F '\t' '{ printf "%-58s %7d %7d\n", $1, $2, $3; wall += $2; cpu += $3 } END { printf "%-58s %7d %7d\n", "all", wall, cpu }' "$out/times"
}

# The original test sets, if they are there.
originals=../shared/test-sets
if [ -d "$originals" ]; then
  C4LAB_TEST_SETS=$(cd "$originals" && pwd)
  export C4LAB_TEST_SETS
fi

# skip REASON: notes a check that is skipped because a tool is missing. They are counted at the end.
skip() { echo "$1" >>"$out/skipped"; echo "skipped: $1"; }

# counted COMMAND...: runs a script that may print "skipped: REASON" and pass.
counted() {
  "$@" | tee "$out/said"
  sed -n "s/^.*skipped: /$(basename "$1"): /p" "$out/said" >>"$out/skipped"
}

skipped() {
  echo "skipped: $(wc -l <"$out/skipped")"
  sed 's/^/  /' "$out/skipped"
}

# need PROGRAM PACKAGE [WHAT]: installs PACKAGE if PROGRAM is missing. If that fails, WHAT is skipped.
need() {
  command -v "$1" >/dev/null && return
  echo "no $1 here: trying to install $2"
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    # A new machine may have no list of packages, or an old one.
    apt-get install -y "$2" >/dev/null 2>&1 || { apt-get update >/dev/null 2>&1; apt-get install -y "$2" >/dev/null 2>&1; } || true
  fi
  command -v "$1" >/dev/null && return
  [ -z "${3:-}" ] || skip "$3: no $1"
}

# tool PROGRAM [ARGUMENT...]: a program of crates.io. It is built without optimisation, because it runs for seconds.
tool() {
  CARGO_PROFILE_DEV_DEBUG=false cargo install --locked --debug --quiet --root target/tools "$@"
}

# rust-toolchain.toml names one version. If it cannot be installed by that name, stable is used if it has that version.
toolchain() {
  local channel
  channel=$(sed -n 's/^channel = "\(.*\)"/\1/p' rust-toolchain.toml)
  if ! rustc --version >/dev/null 2>&1 && ! rustup toolchain install "$channel" --component clippy,rustfmt >/dev/null 2>&1; then
    case "$(rustc +stable --version)" in
      "rustc $channel "*) export RUSTUP_TOOLCHAIN=stable ;;
      *) echo "Rust $channel cannot be had here"; exit 1 ;;
    esac
  fi
  rustc --version
}

# digest PATH...: prints a digest of the names and contents of the tracked files there. Fails if there is no file.
digest() {
  local files
  mapfile -t files < <(git ls-files -- "$@")
  [ "${#files[@]}" != 0 ] || { echo "guards no file: $*" >&2; return 1; }
  sha256sum -- "${files[@]}" | sha256sum | cut -c1-16
}

# guarded NAME PATH... -- COMMAND...: a part of .ci/full, and the only files whose change can break it (patterns of
# git). `.ci/full` runs the part and keeps the digest of these files in .ci/passed. With `wanted=changed` it runs only
# if they have changed since then. A part that never passed, or has no files, is not run.
wanted=all
guarded() {
  local name=$1 paths=() now='' passed skips
  shift
  while [ "$1" != -- ]; do paths+=("$1"); shift; done
  shift
  [ "${#paths[@]}" = 0 ] || now=$(digest "${paths[@]}") || { failed+=("$name"); return 0; }
  passed=$(sed -n "s/^$name //p" .ci/passed 2>/dev/null || true)
  case " $wanted " in
    " all " | *" $name "*) ;;
    " changed ")
      [ -n "$now" ] || return 0
      [ -n "$passed" ] || { echo "$name: not run: .ci/full has not passed it yet"; return 0; }
      [ "$passed" != "$now" ] || return 0 ;;
    *) return 0 ;;
  esac
  step "$name"
  skips=$(wc -l <"$out/skipped")
  # A process of its own ends at its first failure, and the parts behind it still run.
  (trap - EXIT; set -euo pipefail; "$@") &
  if ! wait $!; then
    failed+=("$name")
    echo "FAILED: $name"
  elif [ "$wanted" != changed ] && [ -n "$now" ] && [ "$skips" = "$(wc -l <"$out/skipped")" ]; then
    { grep -v "^$name " .ci/passed 2>/dev/null || true; echo "$name $now"; } | sort >"$out/passed"
    cp "$out/passed" .ci/passed
  fi
}
