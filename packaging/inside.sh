#!/bin/bash
# What packaging/boot.sh tries under systemd itself, with boardd as the package has installed and started it.
set -uo pipefail
export LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin
config=/etc/boardd/boardd.toml

fail() {
	echo "FAILED: $*"
	systemctl status boardd.service --no-pager -l
	journalctl -u boardd -u systemd-modules-load -o cat --no-pager | tail -50
	exit 1
}
step() { echo "== $*"; }
show() { systemctl show boardd.service -P "$1"; }
is() { [ "$(show "$1")" = "$2" ] || fail "$1 is $(show "$1"), not $2"; }
until_is() { # property, pattern, seconds
	local i
	for ((i = 0; i < ${3:-60} * 5; i++)); do
		[[ $(show "$1") == $2 ]] && return
		sleep 0.2
	done
	fail "$1 is $(show "$1"), not $2"
}
log() { journalctl -u boardd -o cat --no-pager; }
until_log() { # pattern
	local i
	for ((i = 0; i < 300; i++)); do
		log | grep -q -- "$1" && return
		sleep 0.2
	done
	fail "the log never says $1"
}
write() { # lines for the configuration
	printf '%s\n' '[mqtt]' 'listen = ":1883"' 'username = "club"' 'password_file = "/etc/boardd/password"' '[[board]]' "$@" >$config
}

step 'started at boot, with the configuration as it ships'
until_is ActiveState active
until_is StatusText 'no board yet; board: *' 90
until_log 'MQTT: connected'
journalctl -u boardd -o cat | grep -q 'ermission\|not permitted' && fail 'the sandbox is in the way'
systemctl is-failed systemd-modules-load.service >/dev/null && fail 'modules are not loaded'

step 'the board on USB'
[ -e /dev/ttyUSB0 ] || fail 'no ttyUSB0'
[ "$(stat -c %G /dev/ttyUSB0)" = dialout ] || fail "ttyUSB0 is of $(stat -c %G /dev/ttyUSB0)"
ls /dev/chessboard/at-* >/dev/null || fail 'it has no name that stays'
udevadm info -q property /dev/ttyUSB0 | grep -q ID_MM_DEVICE_IGNORE=1 || fail 'ModemManager is not kept off'
pid=$(show MainPID)
ls -l /proc/"$pid"/fd | grep -q ttyUSB0 || fail 'boardd has not opened it'

step 'sandbox'
grep -q '^NoNewPrivs:.*1$' /proc/"$pid"/status || fail 'new privileges'
grep -q '^CapEff:.*0000000000000000$' /proc/"$pid"/status || fail 'capabilities'
grep -q '^Seccomp:.*2$' /proc/"$pid"/status || fail 'no filter of system calls'
[ "$(stat -c %U /proc/"$pid")" = boardd ] || fail 'another user'
systemd-analyze security boardd.service | tail -1

step 'a virtual board, and the broker on the network'
printf 'secret\n' >/etc/boardd/password
chown root:boardd /etc/boardd/password
chmod 640 /etc/boardd/password
write 'driver = "virtual"'
systemctl restart boardd || fail restart
is ActiveState active
until_is StatusText '1 of 1 board online'
[ "$(stat -c '%U %a' /var/lib/boardd)" = 'boardd 750' ] || fail "state: $(stat -c '%U %a' /var/lib/boardd)"
address=$(hostname -I | awk '{print $1}')
(exec 3<>/dev/tcp/"${address:-127.0.0.1}"/1883) || fail 'the broker is not reached'

step 'the clock, as systemd-timesyncd would say it'
log | grep -q 'clock is not set by the network' || fail 'the clock is believed'
mkdir -p /run/systemd/timesync && touch /run/systemd/timesync/synchronized
systemctl restart boardd
until_is StatusText '1 of 1 board online'
journalctl _PID="$(show MainPID)" -o cat | grep -q 'clock is not set by the network' && fail 'the clock is not believed'

step reload
pid=$(show MainPID)
write 'driver = "virtual"' '[board.leds]' 'brightness = 77'
systemctl reload boardd || fail reload
until_log 'changed=board\[0\].leds.brightness'
is ActiveState active
is MainPID "$pid"
write 'driver = "vitrual"'
systemctl reload boardd || fail reload
until_log 'the old one goes on'
is MainPID "$pid"
write 'driver = "virtual"'

step 'a crash of the program, which Go would end with the code of a faulty configuration'
kill -QUIT "$pid"
until_is NRestarts 1
until_is ActiveState active
until_is StatusText '1 of 1 board online'
step 'killed'
kill -KILL "$(show MainPID)"
until_is NRestarts 2
until_is StatusText '1 of 1 board online'

step 'a daemon that hangs'
mkdir -p /run/systemd/system/boardd.service.d
printf '[Service]\nWatchdogSec=2\n' >/run/systemd/system/boardd.service.d/try.conf
systemctl daemon-reload
systemctl restart boardd
until_is StatusText '1 of 1 board online'
sleep 5
is NRestarts 0
kill -STOP "$(show MainPID)"
until_is NRestarts 1
until_is StatusText '1 of 1 board online'

step stop
systemctl stop boardd
is ActiveState inactive
is Result success # and not timeout; how long it took means nothing on an emulated machine

step 'a faulty configuration'
write 'driver = "vitrual"'
systemctl start boardd 2>/dev/null && fail 'it starts'
sleep 7
is ActiveState failed
is ExecMainStatus 2
is NRestarts 0
write 'driver = "virtual"'
systemctl start boardd || fail 'it does not start'
echo '== all is well'
