#!/usr/bin/env bash
# Installs what the tests need besides Go; this list is the only one. Where apt may be used (as root, or by sudo without a
# password) what is missing is installed and no service is started; elsewhere it says what is missing and fails. The kernels for
# kernel/ are fetched too, and an empty Debian to try the package in; they are kept in caches and never installed.
set -euo pipefail
exec </dev/null

# What must be there, and the Debian package that brings it.
needs='
git                                git
make                               make
gcc                                gcc
/usr/include/stdlib.h              libc6-dev
mosquitto                          mosquitto
mosquitto_sub                      mosquitto-clients
jq                                 jq
stockfish                          stockfish
strace                             strace
mkfs.ext4                          e2fsprogs
/etc/ssl/certs/ca-certificates.crt ca-certificates
qemu-system-x86_64                 qemu-system-x86
qemu-system-aarch64                qemu-system-arm
cpio                               cpio
modprobe                           kmod
xz                                 xz-utils
fdtput                             device-tree-compiler
/usr/lib/x86_64-linux-gnu/libelf.so.1 libelf1
systemd-analyze                    systemd
udevadm                            udev
unshare                            util-linux
qemu-arm-static                    qemu-user-static
lintian                            lintian
mmdebstrap                         mmdebstrap
'
export PATH="$PATH:/usr/sbin:/sbin:/usr/games"

if ! command -v go >/dev/null; then
	echo 'deps: Go 1.26 or newer is missing: install it from https://go.dev/dl/ (Debian has older ones)' >&2
	exit 1
fi

missing() {
	local what package
	while read -r what package; do
		[ -n "$what" ] || continue
		case $what in
		/*) [ -e "$what" ] || echo "$package" ;;
		*) command -v "$what" >/dev/null || echo "$package" ;;
		esac
	done <<<"$needs"
}

# ready ends this: all programs are there.
ready() {
	exec 9>&-
	local here
	here=$(dirname "$0")/..
	"$here/packaging/root.sh" >/dev/null &
	"$here/kernel/prepare.sh"
	wait $!
	exit
}

packages=$(missing)
[ -n "$packages" ] || ready

# One of several runs installs, the others wait and then find all done.
exec 9<"$0"
flock 9
packages=$(echo $(missing))
[ -n "$packages" ] || ready

if ! command -v apt-get >/dev/null; then
	echo "deps: missing, and there is no apt here: $packages" >&2
	exit 1
fi
if [ "$(id -u)" = 0 ]; then
	as_root=()
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
	as_root=(sudo -n)
else
	echo "deps: missing, install them with: sudo apt-get install $packages" >&2
	exit 1
fi
as_root() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C "$@"; }

# policy-rc.d keeps packages from starting their services; the one that was there comes back.
policy=/usr/sbin/policy-rc.d
if ! { [ -x "$policy" ] && { code=0; "$policy" mosquitto start >/dev/null 2>&1 || code=$?; [ "$code" = 101 ]; }; }; then
	saved=
	if [ -e "$policy" ]; then
		saved=$policy.boardd-saved
		as_root mv "$policy" "$saved"
	fi
	restore() {
		as_root rm -f "$policy"
		[ -z "$saved" ] || as_root mv "$saved" "$policy"
	}
	trap restore EXIT
	printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
	as_root chmod 755 "$policy"
fi

has_broker=$(command -v mosquitto || true)
install() {
	as_root apt-get install -y -q --no-install-recommends --no-upgrade -o DPkg::Lock::Timeout=300 $packages
}
known() {
	local p
	for p in $packages; do
		[ -n "$(apt-cache policy "$p" | sed -n 's/^ *Candidate: \((none)\)*//p')" ] || return 1
	done
}

echo "deps: installing $packages"
updated=
if ! known; then
	as_root apt-get update -q
	updated=yes
fi
if ! install; then
	[ -z "$updated" ] || { echo "deps: apt could not install $packages" >&2; exit 1; }
	as_root apt-get update -q # the lists were too old
	install || { echo "deps: apt could not install $packages" >&2; exit 1; }
fi

# A broker that came with the tests must not take port 1883 at the next boot.
if [ -z "$has_broker" ] && command -v systemctl >/dev/null; then
	as_root systemctl disable mosquitto.service >/dev/null 2>&1 || true
fi

packages=$(echo $(missing))
if [ -n "$packages" ]; then
	echo "deps: still missing after apt: $packages" >&2
	exit 1
fi
ready
