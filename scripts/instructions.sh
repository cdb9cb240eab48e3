#!/usr/bin/env bash
# Counts the ARMv6 instructions of what boardd does most often, those of the kernel for it included, and prints a table.
#
# Debian's arm64 kernel runs the benchmarks, built for ARMv6, in an emulated machine whose clock is the count of its instructions
# (qemu's -icount with one nanosecond an instruction): so the nanoseconds that a benchmark measures are instructions. It takes about two
# minutes. Needs what kernel/prepare.sh fetches.
set -euo pipefail
cd "$(dirname "$0")/.."
. kernel/common.sh
kernel/prepare.sh pi
KVER=$(cat "$CACHE/pi/made")

t=$(mktemp -d)
trap 'rm -rf "$t"' EXIT
r=$t/root
mkdir -p "$r"/{bin,dev,proc,sys,tmp}
cp "$(busybox arm64)" "$r/bin/busybox"
benches='
rules LegalMoves$ 2000x
driver/chiptest/boards Scan/(mcp23017|hc165|gpio-matrix)$ 2000x
driver/scan Step 5000x
sensing UnchangedScanInAGame 20000x
sensing SettledChange 2x
store Commit$ 400x
'
cat >"$r/init" <<'I'
#!/bin/busybox sh
export PATH=/bin HOME=/tmp TMPDIR=/tmp GOMAXPROCS=1
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t tmpfs -o mode=1777 tmp /tmp
I
n=0
while read -r package bench times; do
	[ -n "$package" ] || continue
	n=$((n + 1))
	mkdir -p "$r/$n"
	(cd "$package" && GOOS=linux GOARCH=arm GOARM=6 CGO_ENABLED=0 go test -c -trimpath -o "$r/$n/test" .)
	[ ! -d "$package/testdata" ] || cp -r "$package/testdata" "$r/$n/"
	echo "cd /$n && ./test -test.run '^\$' -test.bench '$bench' -test.benchtime $times </dev/null" >>"$r/init"
done <<<"$benches"
cp -r testdata "$r/" # packages look for it above themselves
CGO_ENABLED=0 GOOS=linux GOARCH=arm GOARM=6 go build -trimpath -ldflags '-s -w' -o "$r/boardd" ./cmd/boardd
printf '[node]\nname = "pi"\ndata = "/tmp/kept"\n[[board]]\ndriver = "virtual"\n' >"$r/boardd.toml"
# A whole game as fast as life, the hands and the drawing included; then a daemon with a board on which nothing happens.
cat >>"$r/init" <<'I'
ip link set lo up
mkdir -p /run/boardd /tmp/kept
time /boardd demo --speed 1 >/tmp/demo 2>&1 # busybox writes its times there too
tail -4 /tmp/demo
/boardd run -c /boardd.toml >/tmp/log 2>&1 &
sleep 30
set -- $(cat /proc/$!/stat)
before=$((${14} + ${15}))
sleep 60
set -- $(cat /proc/$!/stat)
echo "daemon: $((${14} + ${15} - before)) hundredths of 10^9 instructions in 60 s"
grep -E 'VmHWM|VmRSS|RssAnon' /proc/$!/status
I
printf 'echo GUEST-EXIT 0\npoweroff -f\nsleep 60\n' >>"$r/init"
chmod +x "$r/init"
(cd "$r" && find . | cpio -o -H newc --quiet) | gzip -1 >"$t/initramfs"
timeout "${LIMIT:-900}" qemu-system-aarch64 -M virt -cpu cortex-a53 -smp 1 -m 1024 -icount shift=0,sleep=off -nographic -no-reboot \
	-kernel "$CACHE/kernel/$KVER/boot/vmlinuz-$KVER" -initrd "$t/initramfs" -append 'console=ttyAMA0 quiet panic=-1' </dev/null 2>&1 |
	tr -d '\r' | tee "${CONSOLE:-/dev/null}" | sed -n '/^Benchmark/p; /^panic/p; /FAIL/p; /^real/,/^sys/p; /moves published/p; /^daemon/p; /^Vm/p; /^Rss/p'
