#!/usr/bin/env bash
# Makes the Debian packages for armhf (ARMv6, as Raspberry Pi OS has it), arm64 and amd64 in dist/, of the binaries that
# scripts/cross.sh builds. The same commit gives the same bytes. ARCHES names fewer of them: ARCHES=amd64 scripts/package.sh
set -euo pipefail
cd "$(dirname "$0")/.."
arches=${ARCHES:-armhf arm64 amd64}
out=${DIST:-dist}

# All times are that of the commit.
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
MTIME=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
# v1.2.3 is 1.2.3, and what lies between two releases comes after the first.
version=${VERSION:-$(git describe --tags --always --dirty)}
case $version in
v[0-9]*) DEB_VERSION=$(echo "${version#v}" | sed 's/-rc/~rc/; s/-/+/g') ;;
[0-9]*.*) DEB_VERSION=$(echo "$version" | sed 's/-/+/g') ;;
*) DEB_VERSION=0~git$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d.%H%M%S).$(echo "$version" | sed 's/-/+/g') ;;
esac

STAGE=$(mktemp -d)
trap 'rm -rf "$STAGE"' EXIT
chmod 755 "$STAGE"

ARCHES=$arches VERSION=$version DIST=$out scripts/cross.sh
go run -trimpath -tags man ./cmd/boardd man "$STAGE"
gzip -9n "$STAGE"/man/*
gzip -9nc CHANGELOG.md >"$STAGE/CHANGELOG.md.gz"
cat <<END | gzip -9n >"$STAGE/changelog.gz"
boardd ($DEB_VERSION) stable; urgency=medium

  * What has changed is told in CHANGELOG.md.gz beside this file.

 -- $(sed -n 's/^maintainer: //p' packaging/nfpm.yaml)  $(LC_ALL=C date -u -R -d "$MTIME")
END
cp packaging/{postinst,prerm,postrm} "$STAGE"

# The licences of what is linked in.
go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' ./cmd/boardd | sort -u |
	while read -r module v dir; do
		for file in "$dir"/LICENSE* "$dir"/LICENCE* "$dir"/COPYING* "$dir"/NOTICE*; do
			[ ! -f "$file" ] || printf '==== %s %s: %s\n\n%s\n\n' "$module" "$v" "$(basename "$file")" "$(cat "$file")"
		done
	done | gzip -9n >"$STAGE/licences.gz"

go -C packaging build -o "$STAGE/nfpm" github.com/goreleaser/nfpm/v2/cmd/nfpm
for arch in $arches; do
	case $arch in
	armhf) ARCH=arm6 binary=armv6 ;;
	*) ARCH=$arch binary=$arch ;;
	esac
	cp "$out/boardd-linux-$binary" "$STAGE/boardd"
	sed "s|\${ARCH}|$ARCH|; s|\${DEB_VERSION}|$DEB_VERSION|; s|\${MTIME}|$MTIME|; s|\${STAGE}|$STAGE|" packaging/nfpm.yaml >"$STAGE/nfpm.yaml"
	"$STAGE/nfpm" package --config "$STAGE/nfpm.yaml" --packager deb --target "$out/boardd_${DEB_VERSION}_$arch.deb"
done
ls -l "$out"/boardd_"${DEB_VERSION}"_*.deb
