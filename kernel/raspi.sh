#!/usr/bin/env bash
# raspi.sh [options] PROGRAM [arguments]
# Boots Debian's arm64 kernel on QEMU's Raspberry Pi 3B and runs the static PROGRAM there as root, with boardd beside it at
# /boardd. Exit codes are those of boot.sh. Options: -t SECONDS limit (300), -v the whole console.
#
# Real there: the device tree, the model and revision, pinctrl-bcm2835 with the names of its 54 lines. Not there: a way to set an
# input from outside, pulls, edges, chips on I2C or SPI. An input reads what was last driven on it.
set -euo pipefail
. "$(dirname "$0")/common.sh"
limit=300 verbose=
while getopts 't:v' o; do case $o in t) limit=$OPTARG ;; v) verbose=1 ;; *) exit 2 ;; esac; done
shift $((OPTIND - 1))
[ $# -ge 1 ] || die 'raspi.sh: which program?'
program=$1
shift
need qemu-system-aarch64 timeout setpriv cpio modprobe fdtput
"$here/prepare.sh" pi
KVER=$(cat "$CACHE/pi/made") K=$CACHE/kernel/$(cat "$CACHE/pi/made")

t=$(mktemp -d)
qemu='' watcher=''
finish() {
	[ -z "$qemu" ] || kill "$qemu" 2>/dev/null || true
	[ -z "$watcher" ] || kill "$watcher" 2>/dev/null || true
	rm -rf "$t"
}
trap finish EXIT
trap 'exit 130' INT TERM

# There is no virtio: all that the guest needs is in its initramfs, and results come over the console.
r=$t/root
mkdir -p "$r"/{bin,dev,etc,modules,proc,sys,tmp}
chmod 755 "$r"
cp "$(busybox arm64)" "$r/bin/busybox"
install -m755 "$program" "$r/program"
(cd "$here/.." && CGO_ENABLED=0 GOOS=linux GOARCH=arm64 GOFLAGS=-buildvcs=false go build -trimpath -ldflags '-s -w' -o "$r/boardd" ./cmd/boardd) ||
	die 'boardd does not build'
# bcm2835_wdt is what switches the board off.
for m in bcm2835_wdt i2c-dev i2c-bcm2835 spi-bcm2835; do
	{ modprobe -D -d "$K" -S "$KVER" "$m" 2>/dev/null || true; } | while read -r how path _; do
		[ "$how" = insmod ] || continue
		case $path in
		*.xz) xz -dc "$path" >"$r/modules/$(basename "$path" .xz)" ;;
		*) cp "$path" "$r/modules/" ;;
		esac
		basename "$path" .xz >>"$t/order"
	done
done
awk '!seen[$0]++' "$t/order" >"$r/modules/order"
printf 'root:x:0:0::/tmp:/bin/sh\nboardd:x:990:990::/tmp:/bin/sh\n' >"$r/etc/passwd"
printf 'root:x:0:\nspi:x:989:boardd\ni2c:x:988:boardd\ngpio:x:997:boardd\nboardd:x:990:\n' >"$r/etc/group"
{
	cat <<'I'
#!/bin/busybox sh
export PATH=/bin HOME=/tmp TMPDIR=/tmp
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t tmpfs -o mode=1777 tmp /tmp
while read -r m; do insmod "/modules/$m"; done </modules/order
chgrp gpio /dev/gpiochip*; chmod 660 /dev/gpiochip*
ip link set lo up
read -r uptime _ </proc/uptime
echo "GUEST $uptime set up"
I
	printf '/program'
	for a in "$@"; do printf ' %s' "$(quoted "$a")"; done
	printf ' </dev/null\necho "GUEST-EXIT $?"\nreboot -f\nsleep 60\n'
} >"$r/init"
chmod +x "$r/init"
pack "$r" >"$t/initramfs"
# The firmware of a real board tells its revision and serial number; QEMU's stand-in does not.
cp "$(find "$K/usr/lib" -name bcm2837-rpi-3-b.dtb)" "$t/pi.dtb"
fdtput -cp "$t/pi.dtb" /system
fdtput -t x "$t/pi.dtb" /system linux,revision a02082
fdtput -t x "$t/pi.dtb" /system linux,serial 0 12345678

lock boot.lock
: >"$t/console"
SECONDS=0
setpriv --pdeathsig TERM timeout -k 5 "$limit" qemu-system-aarch64 -M raspi3b -kernel "$K/boot/vmlinuz-$KVER" -dtb "$t/pi.dtb" -initrd "$t/initramfs" \
	-append 'console=ttyAMA0,115200 quiet loglevel=2 panic=-1 oops=panic' \
	-display none -no-reboot -serial "file:$t/console" -serial null </dev/null >"$t/qemu" 2>&1 8>&- &
qemu=$!
watch "$qemu" "$t/console" 8>&- &
watcher=$!
tail -n +1 -f --pid="$qemu" "$t/console" 2>/dev/null 8>&- | sed -u 's/\r$//' |
	if [ -n "$verbose" ]; then cat; else awk '/^GUEST [0-9.]+ set up$/{on=1; next} /^GUEST-EXIT /{exit} on{print; fflush()}'; fi || true
code=0
wait "$qemu" 2>/dev/null || code=$?
qemu=''
kill "$watcher" 2>/dev/null || true
unlock
guest=$(result "$t/console")
say "Raspberry Pi 3B, $KVER, $SECONDS s in all; exit ${guest:-none}"
if [ -z "$guest" ]; then
	[ "$code" != 124 ] || say "the time limit of $limit s is over"
	cat "$t/qemu" >&2
	[ -n "$verbose" ] || tail -40 "$t/console" >&2
	exit 125
fi
exit "$guest"
