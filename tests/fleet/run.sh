#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh BUILD_DIRECTORY: what the queries of contrib/fleet find in rows of recordings whose growth is
# known, in DuckDB: npm installs that once, by the hashes of package-lock.json, into build/fleet. The
# last line counts.
set -u

here=$(cd "$(dirname "$0")" && pwd)
fleet=$here/../../contrib/fleet
engine=$(dirname "$1")/fleet
mkdir -p "$engine" && engine=$(cd "$engine" && pwd) || exit 1

skip() { # REASON
	echo "SKIP fleet: $1"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
}

loads() {
	(cd "$engine" && node -e 'import("@duckdb/node-api").catch(() => process.exit(1))' > npm.log 2>&1)
}

command -v node > /dev/null || skip "node is not installed"
node -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)' || skip "node is older than 18"
if ! cmp -s "$fleet/package-lock.json" "$engine/package-lock.json" || ! loads; then
	command -v npm > /dev/null || skip "npm is not installed"
	rm -rf "$engine" && mkdir "$engine" && cp "$fleet/package.json" "$engine" || exit 1
	cp "$fleet/package-lock.json" "$engine/wanted.json"
	# the lock file is put in its place when all is installed
	(cd "$engine" && mv wanted.json package-lock.json &&
		timeout 180 npm ci --no-audit --no-fund --fetch-retries=1 --fetch-timeout=30000 > npm.log 2>&1) || {
		rm -f "$engine/package-lock.json"
		skip "npm cannot install @duckdb/node-api: $(grep -m 1 -i 'npm err\|npm error' "$engine/npm.log")"
	}
	loads || skip "@duckdb/node-api does not run here: $(head -n 1 "$engine/npm.log")"
fi
rm -rf "$engine/example"
cp -r "$fleet"/*.sql "$fleet/ask.mjs" "$fleet/example" "$engine" || exit 1
for recording in "$here"/../../fixtures/*.dat; do
	"$1/ftwait" report -q "$recording" --rows
done > "$engine/fixtures.ndjson"
exec node "$here/check.mjs" "$engine" "$fleet/README"
