#!/usr/bin/env bash
# prepare.sh [board] [pi]: fetches and builds what the guests need, all of it in the cache. Both without arguments.
#   board  Debian's newest amd64 kernel with the modules of modules/, and an initramfs
#   pi     Debian's newest arm64 kernel, for the emulated Raspberry Pi
# With a warm cache it takes a second. The newest kernel is kept until apt names a newer one.
set -euo pipefail
. "$(dirname "$0")/common.sh"
need apt-get apt-cache dpkg-deb flock cpio xz modprobe depmod gcc make
[ $# -gt 0 ] || set -- board pi
lock prepare.lock

# kernel ARCH: sets KVER and K, the unpacked package. Debian removes old kernels, so lists that are too old name one that is gone.
kernel() {
	local package deb=
	package=$(newest "$1")
	if [ -n "$package" ] && [ ! -e "$CACHE/kernel/${package#linux-image-}/.done" ]; then
		deb=$(fetch "$1" "$package") || package=
	fi
	if [ -z "$package" ]; then
		update "$1"
		package=$(newest "$1")
		[ -n "$package" ] || die "apt knows no linux-image-$1: is Debian's main among its sources?"
	fi
	KVER=${package#linux-image-} K=$CACHE/kernel/${package#linux-image-}
	[ ! -e "$K/.done" ] || return 0
	[ -n "$deb" ] || deb=$(fetch "$1" "$package") || die "apt cannot get $package"
	say "unpacks $package"
	rm -rf "$K"
	mkdir -p "$K"
	unpack_kernel "$deb" "$K"
	depmod -b "$K" "$KVER"
	touch "$K/.done"
}

# headers: the kernel's headers and tools, unpacked at $H. Their Makefile names the common ones by an absolute path.
headers() {
	local to=$CACHE/headers/$KVER deb p
	H=$to/usr/src/linux-headers-$KVER
	[ ! -e "$to/.done" ] || return 0
	rm -rf "$to" && mkdir -p "$to"
	deb=$(fetch amd64 "linux-headers-$KVER") || die "apt cannot get linux-headers-$KVER"
	dpkg-deb -x "$deb" "$to"
	for p in $(dpkg-deb -f "$deb" Depends | grep -oE 'linux-(headers-[^ ,]*-common|kbuild-[^ ,]*)'); do
		deb=$(fetch amd64 "$p") || die "apt cannot get $p"
		dpkg-deb -x "$deb" "$to"
	done
	sed -i "s#/usr/src/#$to/usr/src/#" "$H/Makefile"
	touch "$to/.done"
}

# modules: builds ours where a source is not the one that was built. Without BTF, which would want pahole and a vmlinux.
modules() {
	local to=$CACHE/modules/$KVER
	if ! cmp -s <(cat "$here"/modules/*.c "$here/modules/Kbuild") "$to/.built"; then
		say "builds the modules for $KVER"
		rm -rf "$to" && mkdir -p "$to"
		cp "$here"/modules/*.c "$here/modules/Kbuild" "$to/"
		make -s -C "$H" M="$to" CC=gcc CONFIG_DEBUG_INFO_BTF_MODULES= modules >&2
		mkdir -p "$K/lib/modules/$KVER/extra"
		cp "$to"/*.ko "$K/lib/modules/$KVER/extra/"
		depmod -b "$K" "$KVER"
		cat "$here"/modules/*.c "$here/modules/Kbuild" >"$to/.built"
	fi
}

# initramfs: busybox, the modules of modules.list, init. Each module has a file that names what to load before it.
initramfs() {
	local t name deps how path b
	t=$(mktemp -d)
	trap 'rm -rf "$t"' EXIT
	chmod 755 "$t" # it becomes the guest's /, and mktemp has shut it
	mkdir -p "$t"/{bin,dev,etc,host,modules,proc,run,sys,tmp}
	cp "$(busybox amd64)" "$t/bin/busybox"
	while read -r name; do
		case $name in '' | '#'*) continue ;; -*) name=${name#-} ;; *) echo "$name" >>"$t/modules/at-boot" ;; esac
		deps=$(modprobe -D -d "$K" -S "$KVER" "$name") || die "there is no module $name in $KVER"
		: >"$t/modules/$name.order"
		while read -r how path _; do
			[ "$how" = insmod ] || continue # what is built in needs nothing
			b=$(basename "$path")
			case $b in
			*.xz) b=${b%.xz} && xz -dc "$path" >"$t/modules/$b" ;;
			*) cp "$path" "$t/modules/$b" ;;
			esac
			echo "${b%.ko}" >>"$t/modules/$name.order"
		done <<<"$deps"
	done <"$here/modules.list"
	strip --strip-debug "$t"/modules/*.ko
	install -m755 "$here/init" "$t/init"
	printf 'root:x:0:0::/tmp:/bin/sh\n' >"$t/etc/passwd"
	pack "$t" >"$1.new"
	mv "$1.new" "$1"
	rm -rf "$t"
	trap - EXIT
}

# vmlinux OUT: the kernel unpacked, which the emulated machine then need not do (3 s of a processor at each boot).
vmlinux() {
	local packed=$K/boot/vmlinuz-$KVER off
	for off in $(LC_ALL=C grep -aboF $'\xfd7zXZ' "$packed" | cut -d: -f1 | head -3); do
		tail -c +$((off + 1)) "$packed" | xz -dc --single-stream >"$1.new" 2>/dev/null || true
		if [ "$(head -c4 "$1.new" | tail -c3)" = ELF ]; then
			mv "$1.new" "$1"
			return
		fi
	done
	rm -f "$1.new"
	cp "$packed" "$1" # slower, and as good
}

for guest in "$@"; do
	case $guest in
	board)
		[ "$NATIVE" = amd64 ] || die "the kernel modules are built on amd64 only, not on $NATIVE"
		kernel amd64
		headers
		modules
		G=$CACHE/board
		mkdir -p "$G"
		new=$(cat "$here"/{init,modules.list,prepare.sh,common.sh} "$CACHE/modules/$KVER/.built" | sha256sum)
		if [ "$(cat "$G/made" 2>/dev/null)" != "$KVER $new" ]; then
			rm -f "$G/made"
			vmlinux "$G/kernel"
			initramfs "$G/initramfs"
			echo "$KVER $new" >"$G/made"
		fi
		;;
	pi)
		kernel arm64
		busybox arm64 >/dev/null
		mkdir -p "$CACHE/pi"
		echo "$KVER" >"$CACHE/pi/made"
		;;
	*) die "prepare.sh: $guest? board or pi" ;;
	esac
	say "the $guest guest is ready: Linux $KVER"
done
rm -rf "$CACHE/debs"
# Older kernels have gone from Debian, and nobody boots them again.
for old in "$CACHE"/kernel/* "$CACHE"/headers/* "$CACHE"/modules/*; do
	case $(basename "$old") in
	"$(cut -d' ' -f1 "$CACHE/board/made" 2>/dev/null)" | "$(cat "$CACHE/pi/made" 2>/dev/null)") ;;
	*) rm -rf "$old" ;;
	esac
done
