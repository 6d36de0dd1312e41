# A program that writes a mark before each of 12 turns, in each of which it waits so often for a disk:
# awk -v waits=2 -f turns-by-mark.awk
BEGIN {
	print "unit us\ncpus 1\ntasks app=100/app\n0/0 0 sched_switch 0:R > app"
	for (turn = t = 0; turn <= 12; turn++) {
		printf "%d/0 app print turn %d\n", t += 10, turn
		for (wait = 0; wait < waits; wait++) {
			printf "%d/0 app block_rq_issue 8,0 %d+8 R\n", t += 20, 8 * wait
			printf "%d/0 app sched_switch app:D > 0\n", ++t
			printf "%d/0 0[h] block_rq_complete 8,0 %d+8 R\n", t += 90 + turn * 7 % 13, 8 * wait
			printf "%d/0 0[h] sched_waking app\n", t + 1
			printf "%d/0 0 sched_switch 0:R > app\n", t += 5
		}
	}
}
