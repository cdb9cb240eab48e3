#!/usr/bin/env bash
# Makes an empty Debian with systemd, in which packaging/try.sh installs the package, and prints where it lies as a tar. It is kept in
# ~/.cache/boardd-root ($BOARDD_ROOT_CACHE): 80 MB are fetched, 200 MB kept.
set -euo pipefail
exec </dev/null
suite=bookworm
cache=${BOARDD_ROOT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/boardd-root}
tar=$cache/$suite.tar
mkdir -p "$cache"
exec 9>"$cache/lock"
flock 9
if [ ! -s "$tar" ]; then
	# mmdebstrap is debootstrap by way of apt, in a quarter of the time.
	mmdebstrap --quiet --variant=essential --include=systemd,udev "$suite" "$tar.new" http://deb.debian.org/debian 9>&- >&2
	mv "$tar.new" "$tar"
fi
echo "$tar"
