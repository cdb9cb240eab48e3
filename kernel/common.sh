# Sourced by the other scripts: names, the cache, and apt for packages that are unpacked there and never installed.
# shellcheck shell=bash
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$PATH:/usr/sbin:/sbin # modprobe, depmod
CACHE=${BOARDD_KERNEL_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/boardd-kernel}
# Longer than anybody's download, shorter than a night.
LOCK_WAIT=900

say() { printf 'kernel: %s\n' "$*" >&2; }
die() {
	say "$*"
	exit 124
}

# lock FILE: one at a time, until this shell ends.
lock() {
	mkdir -p "$CACHE"
	exec 8>"$CACHE/$1"
	flock -n 8 || { say "waits for another run to be done with $CACHE/$1" && flock -w "$LOCK_WAIT" 8; } || die "$CACHE/$1 was held for $LOCK_WAIT s"
}
unlock() { exec 8>&-; }

need() {
	local tool missing=()
	for tool in "$@"; do
		command -v "$tool" >/dev/null || missing+=("$tool")
	done
	[ ${#missing[@]} -eq 0 ] || die "missing: ${missing[*]}; scripts/deps.sh installs it"
}

# use ARCH: sets A, apt's options for packages of this architecture. A foreign one is looked up in an apt state of our own, so
# that the machine's dpkg and apt never learn of it.
NATIVE=$(dpkg --print-architecture 2>/dev/null) || die 'this wants Debian: its kernels come from apt'
use() {
	A=(-o DPkg::Lock::Timeout=300 -o APT::Sandbox::User=root)
	[ "$1" != "$NATIVE" ] || return 0
	local s=$CACHE/apt/$1
	mkdir -p "$s"/{lists,cache/archives}/partial
	: >>"$s/status"
	A+=(-o APT::Architecture="$1" -o APT::Architectures="$1" -o Dir::State::lists="$s/lists"
		-o Dir::State::status="$s/status" -o Dir::Cache="$s/cache")
}

# update ARCH brings the lists up to date; the machine's own ones need root. A source without this architecture makes it fail
# in part, which does not matter.
update() {
	local root=()
	use "$1"
	if [ "$1" = "$NATIVE" ] && [ "$(id -u)" != 0 ]; then root=(sudo -n); fi
	say "apt-get update ($1)"
	"${root[@]}" apt-get -qq "${A[@]}" update >&2 2>/dev/null || true
}

# newest ARCH: the package of the newest kernel that Debian has for it.
newest() {
	use "$1"
	apt-cache "${A[@]}" depends "linux-image-$1" 2>/dev/null | awk '/Depends: linux-image-[0-9]/{print $2; exit}' || true
}

# fetch ARCH PACKAGE: prints the path of the .deb; fails where apt cannot get it.
fetch() {
	local to=$CACHE/debs/$1 f
	use "$1"
	mkdir -p "$to"
	f=$(find "$to" -maxdepth 1 -name "$2_*.deb" | head -1)
	if [ -z "$f" ]; then
		say "apt-get download $2 ($1)"
		# In a folder of its own: what a broken-off download leaves is never taken for a package.
		rm -rf "$to/new"
		mkdir "$to/new"
		(cd "$to/new" && apt-get -qq "${A[@]}" download "$2") >&2 || return 1
		mv "$to/new/"*.deb "$to/"
		f=$(find "$to" -maxdepth 1 -name "$2_*.deb" | head -1)
	fi
	echo "$f"
}

# unpack_kernel DEB DIR: only what a board test can need; without graphics, networks, sound and the like it is 60 MB, not 400.
unpack_kernel() {
	dpkg-deb --fsys-tarfile "$1" | tar -x -C "$2" \
		--exclude='*/kernel/drivers/gpu' --exclude='*/kernel/drivers/net' --exclude='*/kernel/drivers/media' \
		--exclude='*/kernel/drivers/infiniband' --exclude='*/kernel/drivers/scsi' --exclude='*/kernel/drivers/staging' \
		--exclude='*/kernel/drivers/iio' --exclude='*/kernel/drivers/mtd' --exclude='*/kernel/drivers/isdn' \
		--exclude='*/kernel/sound' --exclude='*/kernel/arch' --exclude='*/kernel/crypto/[!c]*' \
		--exclude='*/kernel/net/[!9]*' --exclude='*/kernel/fs/[!9cefjmn]*' --exclude='./usr/share'
}

# busybox ARCH: a static one, prints its path. Not installed: it would take the place of a busybox that is.
busybox() {
	local to=$CACHE/busybox-$1 deb
	if [ ! -e "$to/.done" ]; then
		deb=$(fetch "$1" busybox-static) || die "apt cannot get busybox-static ($1)"
		rm -rf "$to" && mkdir -p "$to"
		dpkg-deb -x "$deb" "$to" && touch "$to/.done"
	fi
	find "$to" -path '*bin/busybox' | head -1
}

# pack DIR: a cpio.gz for the kernel, on the standard output.
pack() { (cd "$1" && find . -print0 | cpio --null -o -H newc --quiet --owner=0:0 | gzip -1); }

# quoted WORD: as the guest's shell reads it.
quoted() { printf "'%s'" "$(sed "s/'/'\\\\''/g" <<<"$1")"; }

# The guest's last line is the result; anything else is none.
result() { tr -d '\r' <"$1" | sed -n 's/^GUEST-EXIT \([0-9]\{1,3\}\)$/\1/p' | tail -1; }

# watch PID LOG: ends an emulator whose guest has given its result and goes on: a machine that cannot switch itself off.
watch() {
	while kill -0 "$1" 2>/dev/null; do
		if grep -aq '^GUEST-EXIT [0-9]' "$2" 2>/dev/null; then
			sleep 5
			kill "$1" 2>/dev/null
			return
		fi
		sleep 0.3
	done
}
