#!/usr/bin/env bash
# boot.sh [options] PROGRAM [arguments]
# Boots Debian's kernel in an emulated PC with the simulated boards, runs the static PROGRAM there as root and ends with its
# exit code. 125: the guest gave no result (a panic, the time limit); 124: the machine lacks something.
# Made for go test -exec; BOARDD_KERNEL_OPTIONS holds further options then.
#   -b          build boardd from this tree and lay it beside PROGRAM, at /host/boardd
#   -t SECONDS  limit for boot and run together, 300
#   -o DIR      keep the shared folder there: console, and what PROGRAM has left in /host/out
#   -e K=V      a variable for PROGRAM (repeatable)
#   -u          boards on USB
#   -d FILE     a disk, mounted at /disk (make one: truncate -s 64M FILE; mkfs.ext4 FILE)
#   -p TEXT     cut the power when a line of the console begins with TEXT; that is exit code 0
#   -v          the whole console
set -euo pipefail
. "$(dirname "$0")/common.sh"
build= limit=300 keep= usb= disk= cut= verbose= variables=()
# shellcheck disable=SC2086
set -- ${BOARDD_KERNEL_OPTIONS:-} "$@"
while getopts 'bt:o:e:ud:p:v' o; do
	case $o in
	b) build=1 ;; t) limit=$OPTARG ;; o) keep=$OPTARG ;; e) variables+=("$OPTARG") ;; u) usb=1 ;; d) disk=$OPTARG ;;
	p) cut=$OPTARG ;; v) verbose=1 ;; *) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] || die 'boot.sh: which program?'
program=$1
shift
need qemu-system-x86_64 timeout setpriv
"$here/prepare.sh" board
G=$CACHE/board

share=${keep:-$(mktemp -d)}
qemu='' watcher=''
finish() {
	[ -z "$qemu" ] || kill "$qemu" 2>/dev/null || true
	[ -z "$watcher" ] || kill "$watcher" 2>/dev/null || true
	[ -n "$keep" ] || rm -rf "$share"
}
trap finish EXIT
trap 'exit 130' INT TERM
mkdir -p "$share/out"
chmod 755 "$share"
cp "$here/setup.sh" "$share/"
install -m755 "$program" "$share/program"
[ -z "$build" ] || (cd "$here/.." && CGO_ENABLED=0 GOFLAGS=-buildvcs=false go build -trimpath -o "$share/boardd" ./cmd/boardd) || die 'boardd does not build'
{
	for v in "${variables[@]}"; do printf 'export %s=%s\n' "${v%%=*}" "$(quoted "${v#*=}")"; done
	printf 'exec /host/program'
	for a in "$@"; do printf ' %s' "$(quoted "$a")"; done
	echo
} >"$share/command"
[ -z "$usb" ] || sed -i '1i GUEST_USB=1' "$share/setup.sh"
[ -z "$disk" ] || sed -i '1i GUEST_DISK=1' "$share/setup.sh"

# Software emulation always: in a machine within a machine /dev/kvm may be there and hang.
machine=(qemu-system-x86_64 -M q35 -cpu qemu64,+rdrand -accel tcg,thread=multi -smp 2 -m 384
	-nodefaults -no-reboot -display none -kernel "$G/kernel" -initrd "$G/initramfs"
	-append "console=ttyS0 quiet loglevel=4 panic=-1 oops=panic mitigations=off audit=0 cryptomgr.notests"
	-serial "file:$share/console"
	-virtfs "local,path=$share,mount_tag=host,security_model=none,multidevs=remap")
[ -z "$usb" ] || machine+=(-device qemu-xhci,id=xhci -device virtio-serial-pci
	-chardev "socket,id=near,path=$share/.ftdi,server=on,wait=off" -device usb-serial,chardev=near,bus=xhci.0,always-plugged=on
	-chardev "socket,id=far,path=$share/.ftdi" -device virtserialport,chardev=far,name=ftdi.peer)
[ -z "$disk" ] || machine+=(-drive "file=$disk,if=virtio,format=raw,cache=writeback")

# One guest at a time: two would slow each other down on a small machine.
lock boot.lock
: >"$share/console"
SECONDS=0
setpriv --pdeathsig TERM timeout -k 5 "$limit" "${machine[@]}" </dev/null >"$share/qemu" 2>&1 8>&- &
qemu=$!
if [ -n "$cut" ]; then
	# SIGKILL: nothing of the guest's memory is written any more.
	(while kill -0 "$qemu" 2>/dev/null; do
		if grep -aq "^$cut" "$share/console"; then pkill -KILL -P "$qemu"; break; fi
		sleep 0.02
	done) 8>&- &
else
	watch "$qemu" "$share/console" 8>&- &
fi
watcher=$!
tail -n +1 -f --pid="$qemu" "$share/console" 2>/dev/null 8>&- | sed -u 's/\r$//' |
	if [ -n "$verbose" ]; then cat; else awk '/^GUEST [0-9.]+ set up$/{on=1; next} /^GUEST-EXIT /{exit} on{print; fflush()}'; fi || true
code=0
wait "$qemu" 2>/dev/null || code=$?
qemu=''
kill "$watcher" 2>/dev/null || true
unlock
if [ -n "$cut" ] && grep -aq "^$cut" "$share/console"; then exit 0; fi
guest=$(result "$share/console")
say "$(cut -d' ' -f1 "$G/made"), set up after $(tr -d '\r' <"$share/console" | sed -n 's/^GUEST \([0-9.]*\) set up$/\1/p') s of the guest's time; $SECONDS s in all; exit ${guest:-none}"
if [ -z "$guest" ]; then
	[ "$code" != 124 ] || say "the time limit of $limit s is over"
	cat "$share/qemu" >&2
	[ -n "$verbose" ] || tail -40 "$share/console" >&2
	exit 125
fi
exit "$guest"
