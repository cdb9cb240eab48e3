# Sourced by the guest's init: the hardware and the people of a Raspberry Pi with home-made boards. It comes over the shared
# folder at each boot.

# Groups as on Raspberry Pi OS, a daemon that is in the three it needs, and one that nobody has added to any.
cat >>/etc/passwd <<P
boardd:x:990:990::/tmp:/bin/sh
newcomer:x:991:991::/tmp:/bin/sh
P
cat >/etc/group <<G
root:x:0:
dialout:x:20:boardd
spi:x:989:boardd
i2c:x:988:boardd
gpio:x:997:boardd
boardd:x:990:
newcomer:x:991:
G

# What udev's rules do on a Pi: a node is root's when it comes, and a moment later its group's.
cat >/etc/mdev.conf <<M
gpiochip[0-9]+ root:gpio 0660
i2c-[0-9]+     root:i2c  0660
spidev.*       root:spi  0660
tty(ACM|USB)[0-9]+ root:dialout 0660
(null|zero|full|random|urandom) root:root 0666
.*             root:root 0600
M
mdev -d

# Line n of /dev/gpiochip0 is GPIOn; 8 rows and 8 columns of them are a board of reed contacts.
load gpio-reedmatrix
# I2C bus 1, SPI0.0 and SPI0.1, whose chips the test plays over /dev/testbus.
load testbus i2c_bus=1 spi_bus=0 chipselects=2

if [ -n "$GUEST_DISK" ]; then
	load virtio_blk
	load crc32c_generic
	load ext4
	mkdir -p /disk
	mount -t ext4 /dev/vda /disk || say "no disk: $?"
fi
if [ -n "$GUEST_USB" ]; then
	# A board at /dev/ttyACM0, whose own side is /dev/ttyGS0. Writing dummy_udc.0 to UDC plugs it in, an empty line pulls it out.
	# QEMU's adapter is /dev/ttyUSB0, its far side /dev/vport*p1.
	for m in virtio_console xhci_pci cdc-acm ftdi_sio dummy_hcd usb_f_acm; do load $m; done
	mount -t configfs none /sys/kernel/config
	g=/sys/kernel/config/usb_gadget/board
	mkdir -p $g/strings/0x409 $g/configs/c.1 $g/functions/acm.0
	echo 0x1d6b >$g/idVendor
	echo 0x0104 >$g/idProduct
	echo BOARDD0001 >$g/strings/0x409/serialnumber
	echo "Virtual board" >$g/strings/0x409/product
	ln -s $g/functions/acm.0 $g/configs/c.1/
	echo dummy_udc.0 >$g/UDC
fi
:
