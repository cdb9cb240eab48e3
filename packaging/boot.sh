#!/usr/bin/env bash
# Boots an empty Debian with the package in an emulated machine, where systemd runs boardd for real, and tries there what
# packaging/inside.sh says. Runs as root: boot.sh ROOT.tar PACKAGE.deb. The kernel is that of kernel/.
set -euo pipefail
exec </dev/null
tar=$1 deb=$2
here=$(cd "$(dirname "$0")" && pwd)
if [ -z "${IN_NAMESPACE:-}" ]; then
	"$here/../kernel/prepare.sh" board
	IN_NAMESPACE=yes exec unshare --mount --pid --net --ipc --uts --fork --kill-child "$0" "$@"
fi
. "$here/../kernel/common.sh"
here=$(cd "$(dirname "$0")" && pwd)
read -r KVER _ <"$CACHE/board/made"
K=$CACHE/kernel/$KVER

work=$(mktemp -d)
trap 'umount -Rl "$work" && rmdir "$work"' EXIT
mount -t tmpfs -o size=2G,mode=755 none "$work"
r=$work/root
mkdir "$r"
tar -xf "$tar" -C "$r" --exclude='./usr/share/doc/*' --exclude='./usr/share/locale/*' --exclude='./usr/share/man/*' --exclude='./var/lib/apt/*' \
	--exclude='./dev/*'
mount -t proc proc "$r/proc"
for device in null urandom; do
	touch "$r/dev/$device"
	mount --bind "/dev/$device" "$r/dev/$device"
done
cp "$deb" "$r/boardd.deb"
PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$r" dpkg -i /boardd.deb
umount "$r/proc" "$r/dev/null" "$r/dev/urandom"
rm -r "$r/boardd.deb" "$r"/dev/*

# Modules for a serial port on USB, and those that the package loads.
while read -r how path _; do
	[ "$how" = insmod ] || continue
	to=$r/lib/modules/$KVER/${path#*/lib/modules/"$KVER"/}
	mkdir -p "$(dirname "$to")"
	cp "$path" "$to"
done < <(for m in xhci_pci usbserial ftdi_sio cdc_acm i2c-dev spidev; do modprobe -D -d "$K" -S "$KVER" "$m" 2>/dev/null || true; done)
for list in modules.builtin modules.builtin.modinfo modules.order; do
	cp "$(find "$K" -path "*$KVER/$list" | head -1)" "$r/lib/modules/$KVER/"
done
depmod -b "$r" "$KVER"
printf 'xhci_pci\n' >"$r/etc/modules-load.d/try.conf"

echo '127.0.0.1 localhost' >"$r/etc/hosts"
echo boardd >"$r/etc/hostname"
echo 0123456789abcdef0123456789abcdef >"$r/etc/machine-id"
install -m 755 "$here/inside.sh" "$r/inside.sh"
cat >"$r/etc/systemd/system/try.service" <<'I'
[Unit]
After=multi-user.target
[Service]
Type=oneshot
ExecStart=/inside.sh
ExecStopPost=/bin/systemctl poweroff --force --force
StandardOutput=file:/dev/ttyS0
StandardError=file:/dev/ttyS0
[Install]
WantedBy=multi-user.target
I
ln -s ../try.service "$r/etc/systemd/system/multi-user.target.wants/try.service"
ln -sf /lib/systemd/system/multi-user.target "$r/etc/systemd/system/default.target"
(cd "$r" && find . | cpio -o -H newc --quiet | gzip -1) >"$work/initramfs"
rm -r "$r"

timeout "${LIMIT:-300}" qemu-system-x86_64 -M q35 -cpu qemu64,+rdrand -accel tcg,thread=multi -smp 2 -m 1024 -nodefaults -no-reboot -display none \
	-kernel "$CACHE/board/kernel" -initrd "$work/initramfs" \
	-append 'console=ttyS0 quiet loglevel=3 panic=-1 mitigations=off audit=0 rdinit=/lib/systemd/systemd systemd.show_status=no systemd.unified_cgroup_hierarchy=1' \
	-device qemu-xhci,id=xhci -chardev null,id=nobody -device usb-serial,chardev=nobody,bus=xhci.0,always-plugged=on \
	-serial stdio 2>&1 | tr -d '\r' | tee "$work/console"
grep -q '^== all is well$' "$work/console"
