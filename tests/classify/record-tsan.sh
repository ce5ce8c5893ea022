#!/usr/bin/env bash
# Makes tests/classify/tsan-gcc.txt anew: what ThreadSanitizer of Debian's gcc prints for examples/08-races/racy.c.
# Needs gcc and libtsan (apt-get install gcc libc6-dev libtsan2). Its runtime wants addresses where they always are.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd examples/08-races
gcc -g -O0 -fsanitize=thread -pthread -ffile-prefix-map="$PWD"=. racy.c -o "$folder/racy"
# Not every run meets both races.
for _ in $(seq 50); do
  TSAN_OPTIONS=exitcode=0 setarch -R "$folder/racy" 2> "$folder/report" || true
  [ "$(grep -c '^WARNING' "$folder/report")" -ge 2 ] && break
done
cp "$folder/report" ../../tests/classify/tsan-gcc.txt
