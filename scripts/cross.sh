#!/usr/bin/env bash
# Builds the static binary for every machine that boardd is made for, into dist/, and weighs it: 20 MB at most. ARCHES names fewer of
# them, as Debian calls them; DIST is another folder.
set -euo pipefail
cd "$(dirname "$0")/.."
version=${VERSION:-$(git describe --tags --always --dirty 2>/dev/null || echo devel)}
out=${DIST:-dist}
most=20000000
mkdir -p "$out"

failed=0
for arch in ${ARCHES:-armhf arm64 amd64}; do
	case $arch in
	armhf) goarch=arm file=$out/boardd-linux-armv6 ;;
	*) goarch=$arch file=$out/boardd-linux-$arch ;;
	esac
	CGO_ENABLED=0 GOOS=linux GOARCH=$goarch GOARM=6 GOARM64=v8.0 GOAMD64=v1 \
		go build -trimpath -buildvcs=false -ldflags "-s -w -buildid= -X main.version=$version" -o "$file" ./cmd/boardd
	size=$(stat -c %s "$file")
	printf '%-28s %d.%d MB\n' "$file" $((size / 1000000)) $((size % 1000000 / 100000))
	if [ "$size" -gt "$most" ]; then
		echo "$file is larger than $((most / 1000000)) MB" >&2
		failed=1
	fi
done
exit "$failed"
