#!/usr/bin/env bash
# Runs every fuzz test of the house for a short time: scripts/fuzz.sh [SECONDS]. What breaks one is kept by Go in the
# package's testdata/fuzz and is run by every go test from then on.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-4}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

failed=0 count=0
for package in $(go list ./...); do
	for name in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
		count=$((count + 1))
		# Go's fuzzer sometimes reports its own end of time as a failure; then it is asked once more.
		for try in 1 2; do
			code=0
			go test -run '^$' -fuzz "^$name\$" -fuzztime "${seconds}s" -fuzzminimizetime 10x "$package" >"$log" 2>&1 </dev/null || code=$?
			if [ "$code" = 0 ] || [ "$try" = 2 ] || ! grep -q 'context deadline exceeded' "$log" || grep -q 'Failing input' "$log"; then
				break
			fi
		done
		if [ "$code" = 0 ]; then
			echo "ok    $package $name: $(grep -o 'execs: [0-9]*' "$log" | tail -1)"
		else
			echo "FAIL  $package $name"
			cat "$log"
			failed=$((failed + 1))
		fi
	done
done
echo "$((count - failed)) fuzz tests well, $failed not"
[ "$failed" = 0 ] && [ "$count" -gt 0 ]
