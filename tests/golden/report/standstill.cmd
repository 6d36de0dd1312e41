# twice a real-time task keeps the only CPU for 97 ms, and the others stand still; once no other task
# is there, and once it is fair and keeps the CPU for 30 ms, as slices may be
awk 'BEGIN {
	print "unit us\ncpus 1\nkernel 6.1.0\ntasks fw=431/fw-update ui=500 audio=501 net=502 log=503 k=9/ksoftirqd/0"
	split("ui audio net log", name, " ")
	for (i = 1; i <= 4; i++)
		print i "/0 0 sched_wakeup_new " name[i] " prio=120"
	print "10/0 0 sched_switch 0:R > ui next_prio=120"
	for (t = 1000; t < 400000; t += 1000) {
		before = name[n % 4 + 1]; after = name[++n % 4 + 1]
		if (t == 100000 || t == 300000) {
			print t "/0 " before " sched_waking fw prio=9"
			print t + 1 "/0 " before " sched_switch " before ":R > fw next_prio=9"
			print t + 97000 "/0 fw sched_switch fw:S > " after " prev_prio=9 next_prio=120"
			t += 97000
		} else if (t == 210000) {
			print t "/0 " before " sched_switch " before ":R > " after " next_prio=120"
			t += 30000
		} else
			print t "/0 " before " sched_switch " before ":R > " after " next_prio=120"
	}
}' > schedule
mktrace -o run.dat schedule && ftwait report run.dat --top 1 | sed '/TIME/,$d'; ftwait report run.dat --comm ui --top 1 | grep -c 'stood still'
