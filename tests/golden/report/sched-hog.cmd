mktrace -o run.dat "$SCHEDULES/run-queue.txt" && ftwait report run.dat --sched
# kernels that preempt no task in the kernel do not say that a task was preempted
sed 's/:R+ >/:R >/' "$SCHEDULES/run-queue.txt" | mktrace -o slices.dat
ftwait report slices.dat --sched | sed -n '/^Longest times/,/^CPUs/p' | head -n 4
ftwait report slices.dat --sched --json | jq -c '[.sched.delays[].why] | unique'
