# SPDX-License-Identifier: GPL-2.0-or-later
# The same few events in the shape that -v shape= names, as consoles, logs and options of ftrace have them.
function event(comm, tid, flags, us, text) {
	time = sprintf("5.%06d", us)
	if (shape ~ /^graph/)
		head = sprintf("%12s |   0)  %s-%d    |               |  /* %s */", time, comm, tid, text)
	else if (shape ~ /^flags8/)
		head = sprintf("%16s-%-7d [000] %s.%s.%s %s: %s", comm, tid, substr(flags, 1, 2),
			substr(flags, 3, 2), substr(flags, 5), time, text)
	else if (shape ~ /^tgid-old/)
		head = sprintf("%16s-%-5d [000] (%5s) %s %s: %s", comm, tid, tid, flags, time, text)
	else if (shape ~ /^tgid/)
		head = sprintf("%16s-%-7d (%7d) [000] %s %s: %s", comm, tid, tid, flags, time, text)
	else if (shape ~ /^no-irq-info/)
		head = sprintf("%16s-%-7d [000] %s: %s", comm, tid, time, text)
	else if (shape ~ /^no-context/)
		head = text
	else if (prefix != "" || shape ~ /^latency/)
		head = sprintf("%8.8s-%-7d   0%s 5%06dus+: %s", comm, tid,
			shape ~ /8$/ ? substr(flags, 1, 2) "." substr(flags, 3, 2) "." substr(flags, 5) : flags, us, text)
	else
		head = sprintf("%16s-%-7d [000] %s %s: %s", comm, tid, flags, time, text)
	printf "%s%s%s\n", prefix, head, end
}
function switch_to(comm, tid, state, next_comm, next_tid, us) {
	event(comm, tid, "d..2.", us, sprintf("sched_switch: prev_comm=%s prev_pid=%d prev_prio=120 prev_state=%s" \
		" ==> next_comm=%s next_pid=%d next_prio=120", comm, tid, state, next_comm, next_tid))
}
BEGIN {
	prefixes["dmesg"] = "[  612.000010] "
	prefixes["dmesg-thread"] = "[  612.000010][  T123] "
	prefixes["dmesg-cpu"] = "[  612.000010][    C0] "
	prefixes["dmesg-thread-alone"] = "[    T123] "
	prefixes["dmesg-colour"] = "\033[32m[  612.000010] \033[0m\033[33m"
	prefixes["dmesg-x"] = "kern  :warn  : [  612.000010] "
	prefixes["dmesg-T"] = "[Sat Nov 28 10:11:12 2026] "
	prefixes["kmsg"] = "4,1234,612000010,-;"
	prefixes["console"] = "<4>[  612.000010] "
	prefixes["graph-dmesg"] = "[  612.000010] "
	prefixes["journal"] = "Nov 28 10:11:12 board kernel: "
	prefixes["journal-iso"] = "2026-11-28T10:11:12+0000 board kernel: "
	prefixes["rfc5424"] = "<6>1 2026-11-28T10:11:12.123456+00:00 board kernel - - - "
	prefixes["logcat"] = "11-28 10:11:12.123     0     0 I kernel  : "
	prefixes["logcat-brief"] = "I/kernel  (    0): "
	prefix = prefixes[shape]
	end = shape == "crlf" ? "\r" : shape == "crcrlf" ? "\r\r" : shape == "blanks" ? "  \t" \
		: shape == "dmesg-colour" ? "\033[0m" : ""
	switch_to("swapper/0", 0, "R", "app", 300, 0)
	if (shape == "lost")
		print "CPU:1 [LOST 5 EVENTS]"
	for (at = 1000; at < 5000; at += 1000) {
		switch_to("app", 300, "D", "hog", 301, at)
		event("hog", 301, "d.h1.", at + 500, "irq_handler_entry: irq=77 name=nvme0q1")
		event("hog", 301, "dNh4.", at + 503, "sched_waking: comm=app pid=300 prio=120 target_cpu=000")
		event("hog", 301, "dNh1.", at + 510, "irq_handler_exit: irq=77 ret=handled")
		switch_to("hog", 301, "R+", "app", 300, at + 600)
	}
}
