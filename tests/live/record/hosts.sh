# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced after the prelude by the cases of contrib/record-hosts. The hosts are this machine: each has a
# folder in $there; what a case puts into bin reaches them. A recorder writes its process id to
# $there/recorders, so that its instance can be looked for. $here: this folder, set before the prelude.
hosts=$(realpath "$here/../../../contrib/record-hosts")
mkdir bin there
PATH=$scratch/bin:$PATH there=$scratch/there
export PATH there

# run ARGUMENT...: record-hosts, in the background and with the signals of a terminal: sets $recorder.
# $local_shell: the command that runs it.
local_shell=
run() {
	: > there/recorders
	: > errors
	# shellcheck disable=SC2086 # words
	env --default-signal $local_shell "$hosts" --ssh=reach "$@" > printed 2> errors &
	recorder=$!
}

# left: what is on the hosts and should not be: folders, instances, and processes of a chroot
left() {
	find there -name 'ftwait-hosts.*'
	while read -r pid; do
		[ ! -e "$tracing/instances/ftwait.$pid" ] || echo "$pid"
	done < there/recorders
	find /proc -mindepth 2 -maxdepth 2 -path '/proc/[0-9]*/root' -lname "$there/*" 2> /dev/null
}

# over STATUS WHAT: it ends with that status, and nothing is left
over() {
	wait "$recorder"
	status=$?
	expect "$2: status $1, not $status" [ $status -eq "$1" ]
	expect "$2: nothing is left on the hosts" [ -z "$(left)" ]
	expect "$2: nothing but recordings is left here" [ -z "$(find . -name '.record-hosts.*')" ]
}

nothing_left() {
	[ -z "$(left)" ] && [ -z "$(find . -name '.record-hosts.*')" ]
}

# clocks_agree HOST...: these are told of, and as all of them are this machine, each differs by no more than
# it is said to be uncertain
clocks_agree() {
	sed -n "s/.*clocks against this machine's: \([^;]*\).*/\1/p" errors | sed 's/, /\n/g' | awk -v wanted="$*" '
		{
			names = names (NR > 1 ? " " : "") $1
			gsub(/[^0-9]/, "", $4)
			if (($2 < 0 ? -$2 : $2) * 1000 > $4 + 1) bad = 1
		}
		END { exit bad || names != wanted }'
}

all_record() {
	grep -q ' record, ' errors
}

# may_enter: skips the case where no world can be entered
may_enter() {
	need unshare
	[ -x /usr/sbin/chroot ] && unshare -m true 2> /dev/null || {
		echo "cannot make a mount namespace, or no chroot"
		exit 77
	}
}

# install_program HOST FILE NAME...: a program by those names, with the libraries it needs
install_program() {
	into=there/$1 program=$(realpath "$2")
	shift 2
	mkdir -p "$into/bin"
	cp --remove-destination "$program" "$into/bin/$1"
	for library in $(ldd "$program" 2> /dev/null | grep -o '/[^ ]*'); do
		mkdir -p "$into${library%/*}"
		[ -e "$into$library" ] || cp "$library" "$into$library"
	done
	program=$1
	shift
	for name; do
		ln -sf "$program" "$into/bin/$name"
	done
}

# install_ftwait HOST: the program, and what says which process a recorder is
install_ftwait() {
	install_program "$1" "$FTWAIT" ftwait.program
	cat > "there/$1/bin/ftwait" <<- 'END'
		#!/bin/sh
		echo $$ >> /recorders
		exec /bin/ftwait.program "$@"
	END
	chmod +x "there/$1/bin/ftwait"
}

# world HOST: an empty one that `reach` and `adb` enter; commands in $there/HOST.setup mount more. The
# mounts end with the connection.
world() {
	mkdir -p "there/$1/proc" "there/$1/dev" "there/$1/sys/kernel/tracing"
	: > "there/$1/recorders"
	: > "there/$1.setup"
	cat > bin/enter <<- END
		#!/bin/sh
		# enter HOST VARIABLE=VALUE...; where user is set: as that one
		[ -d "$there/\$1" ] || exit 255
		PATH=/usr/bin:/bin:/usr/sbin:/sbin
		cd "$there/\$1"
		exec unshare -m sh -c '
			mount --bind /proc proc && mount --bind /dev dev && mount --bind "$tracing" sys/kernel/tracing &&
				mount --bind "$there/recorders" recorders && . "$there/\$0.setup" || exit 255
			exec env -i --default-signal "\$@" /usr/sbin/chroot \${user:+--userspec=\$user:\$user} . /bin/sh' "\$@"
	END
	chmod +x bin/enter
}
