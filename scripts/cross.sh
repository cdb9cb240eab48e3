#!/usr/bin/env bash
# Builds the static binary for every machine that boardd is made for, into dist/, and weighs it: 20 MB at most.
set -euo pipefail
cd "$(dirname "$0")/.."
version=${VERSION:-$(git describe --tags --always --dirty 2>/dev/null || echo devel)}
most=20000000
mkdir -p dist

failed=0
for target in arm:6 arm64: amd64:; do
	arch=${target%%:*} arm=${target##*:}
	out=dist/boardd-linux-$arch${arm:+v$arm}
	CGO_ENABLED=0 GOOS=linux GOARCH=$arch GOARM=${arm:-7} go build -trimpath -ldflags "-s -w -X main.version=$version" -o "$out" ./cmd/boardd
	size=$(stat -c %s "$out")
	printf '%-28s %d.%d MB\n' "$out" $((size / 1000000)) $((size % 1000000 / 100000))
	if [ "$size" -gt "$most" ]; then
		echo "$out is larger than $((most / 1000000)) MB" >&2
		failed=1
	fi
done
exit "$failed"
