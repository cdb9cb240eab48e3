#!/usr/bin/env bash
# Installs the package in an empty Debian, starts boardd as far as that goes without a running systemd, upgrades, removes and purges
# it, and looks each time at what is there. Runs as root, in namespaces of its own: try.sh ROOT.tar OLD.deb NEW.deb
set -euo pipefail
exec </dev/null
tar=$1 old=$2 new=$3
if [ -z "${IN_NAMESPACE:-}" ]; then
	IN_NAMESPACE=yes exec unshare --mount --pid --net --ipc --uts --fork --kill-child "$0" "$@"
fi

work=$(mktemp -d)
trap 'umount -Rl "$work" && rmdir "$work"' EXIT
mount -t tmpfs -o size=1G,mode=755 none "$work"
tar -xf "$tar" -C "$work"
mount -t proc proc "$work/proc"
mount -t tmpfs none "$work/run"
for device in null zero random urandom; do
	[ -e "$work/dev/$device" ] || touch "$work/dev/$device"
	mount --bind "/dev/$device" "$work/dev/$device"
done
echo '127.0.0.1 localhost' >"$work/etc/hosts" # as an installer leaves it
mkdir "$work/packages"
cp "$old" "$work/packages/old.deb"
cp "$new" "$work/packages/new.deb"

step() { echo "== $*"; }
fail() {
	echo "FAILED: $*" >&2
	exit 1
}
is() { # what it is, what it should be
	[ "$1" = "$2" ] || fail "$1, not $2"
}
inside() { PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 chroot "$work" "$@"; }
there() { for path; do [ -e "$work/$path" ] || fail "$path is not there"; done; }
gone() { for path; do [ ! -e "$work/$path" ] && [ ! -L "$work/$path" ] || fail "$path is still there"; done; }
enabled=etc/systemd/system/multi-user.target.wants/boardd.service

step install
inside dpkg -i /packages/old.deb
is "$(inside dpkg-query -f '${Status}' -W boardd)" 'install ok installed'
is "$(inside stat -c '%U:%G %a' /var/lib/boardd)" 'boardd:boardd 750'
is "$(inside id -nG boardd)" 'boardd dialout gpio i2c spi'
[ -L "$work/$enabled" ] || fail 'the service is not enabled'
is "$(inside systemctl is-enabled boardd.service)" enabled
inside systemd-analyze verify boardd.service
inside boardd version
inside boardd check-config -c /etc/boardd/boardd.toml
inside bash -n /usr/share/bash-completion/completions/boardd
there usr/share/man/man1/boardd-run.1.gz usr/share/doc/boardd/copyright

step start
ip link set lo up
mkdir -p "$work/run/boardd"
inside chown boardd:boardd /run/boardd
printf 'password\n' >"$work/etc/boardd/password"
inside chown root:boardd /etc/boardd/password
chmod 640 "$work/etc/boardd/password"
sed -i '/^\[mqtt\]$/a listen = ":1883"\nusername = "club"\npassword_file = "/etc/boardd/password"' "$work/etc/boardd/boardd.toml"
PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$work" setpriv --reuid boardd --regid boardd --init-groups --no-new-privs --bounding-set=-all \
	boardd run -c /etc/boardd/boardd.toml >"$work/run/log" 2>&1 &
boardd=$!
for ((i = 0; ; i++)); do
	grep -q 'MQTT: connected' "$work/run/log" && grep -q 'board cannot be read' "$work/run/log" && break
	[ $i -lt 400 ] && kill -0 $boardd || { cat "$work/run/log" >&2; fail 'boardd does not run'; }
	sleep 0.05
done
is "$(inside stat -c %U /var/lib/boardd/boardd.db)" boardd
kill -TERM $boardd
wait $boardd || fail "boardd ends with $?"
! grep -q level=ERROR "$work/run/log" || { cat "$work/run/log" >&2; fail 'an error in the log'; }
inside boardd lights off -c /etc/boardd/boardd.toml
inside boardd store check -c /etc/boardd/boardd.toml

step upgrade
echo '# mine' >>"$work/etc/boardd/boardd.toml"
inside systemctl disable boardd.service
inside dpkg -i /packages/new.deb
is "$(inside dpkg-query -f '${Version}' -W boardd)" "$(dpkg-deb -f "$new" Version)"
grep -q '^# mine$' "$work/etc/boardd/boardd.toml" || fail 'the configuration was overwritten'
there var/lib/boardd/boardd.db
gone "$enabled" # who has disabled it finds it so

step remove
inside dpkg -r boardd
gone usr/bin/boardd lib/systemd/system/boardd.service
there var/lib/boardd/boardd.db etc/boardd/boardd.toml etc/boardd/password

step purge
rm "$work/etc/boardd/password" # of ours, not the package's
inside dpkg -P boardd
left=$(cd "$work" && find . -xdev -path ./packages -prune -o -path ./var/log -prune -o -name '*boardd*' -print)
[ -z "$left" ] || fail "left behind: $left"
gone etc/boardd

step install again
inside dpkg -i /packages/new.deb
[ -L "$work/$enabled" ] || fail 'the service is not enabled'
echo "== all is well"
