#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# page_speed.sh FTWAIT [TRACE...]: what a page of --format html costs those who open it: its bytes,
# when it is ready, and times of a frame (least, median, most) at all time, a tenth and a hundredth
# of it, in Chromium. Nothing is asserted.
set -eu

ftwait=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

[ $# -gt 0 ] || set -- "$here/../../fixtures/demo.dat"
if ! command -v node > /dev/null || ! command -v chromium > /dev/null; then
	echo "SKIP page_speed: node or Chromium is not installed"
	exit 0
fi
for trace; do
	"$ftwait" report "$trace" --format html -q --all -o "$scratch/page.html" || continue
	echo "$(basename "$trace"): $(wc -c < "$scratch/page.html") bytes"
	node "$here/../browser/measure.mjs" "$scratch/page.html"
done
