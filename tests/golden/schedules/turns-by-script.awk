# A shell that has another process write each of 8 marks, and sleeps between them:
# awk -v sleep=100 -f turns-by-script.awk
BEGIN {
	print "unit us\ncpus 1\ntasks sh=100/sh 1=201/echo 2=202/echo 3=203/echo 4=204/echo"
	print "tasks 5=205/echo 6=206/echo 7=207/echo 8=208/echo\ncommand sh\n0/0 0 sched_switch 0:R > sh"
	for (mark = 1; mark <= 8; mark++) {
		printf "%d/0 sh task_newtask %d 0\n", t += 20, mark
		printf "%d/0 sh sched_wakeup_new %d\n", ++t, mark
		printf "%d/0 sh sched_switch sh:S > %d\n", t += 5, mark
		printf "%d/0 %d print turn %d\n", t += 30, mark, mark
		printf "%d/0 %d sched_process_exit %d\n", t += 10, mark, mark
		printf "%d/0 %d sched_waking sh\n", ++t, mark
		printf "%d/0 %d sched_switch %d:X > sh\n", ++t, mark, mark
		printf "%d/0 sh sched_switch sh:S > 0\n", t += 8
		printf "%d/0 0[h] hrtimer_expire_entry 7 hrtimer_wakeup\n", t += sleep + mark % 3
		printf "%d/0 0[h] sched_waking sh\n%d/0 0[h] hrtimer_expire_exit 7\n", t + 1, t + 2
		printf "%d/0 0 sched_switch 0:R > sh\n", t += 5
	}
}
