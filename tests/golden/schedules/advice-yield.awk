# yielder gives its CPU away after each 400 us, as it waits for a spin lock; hog runs 600 us then, and
# is preempted by the tick; forced is preempted by a tick each time. With -v short=1 hog runs for 100 us
# in each 500 us: yielder mostly spins.
BEGIN {
	hog = short ? 390 : 890
	period = short ? 500 : 1000
	print "unit us\ncpus 2\ntasks yielder=801 hog=802 forced=803 other=804"
	print "0/0 0 sched_switch 0:R > yielder"
	print "0/1 0 sched_switch 0:R > forced"
	for (i = 0; i < 40; i++) {
		t = i * period
		printf "%d/1 %s[h] hrtimer_expire_entry 0x1 tick_nohz_handler now=%d\n", t + 290, i % 2 ? "other" : "forced", t + 290
		printf "%d/1 %s[rh] hrtimer_expire_exit 0x1\n", t + 295, i % 2 ? "other" : "forced"
		printf "%d/0 yielder sched_switch yielder:R > hog\n", t + 300
		printf "%d/1 %s\n", t + 300, i % 2 ? "other sched_switch other:R > forced" : "forced sched_switch forced:R > other"
		printf "%d/0 hog[h] hrtimer_expire_entry 0x2 tick_nohz_handler now=%d\n", t + hog, t + hog
		printf "%d/0 hog[rh] hrtimer_expire_exit 0x2\n", t + hog + 5
		printf "%d/0 hog sched_switch hog:R > yielder\n", t + hog + 10
	}
	printf "%d/0 yielder sched_switch yielder:S > hog\n", 40 * period
	printf "%d/1 forced sched_switch forced:S > other\n", 40 * period
}
