# record -e sched,block has the ends of sleeps: they are named, but the view of timers has nothing
sed 's/^100000.*/ 99999\/0 0[h] hrtimer_expire_entry T1 hrtimer_wakeup\n&/' "$SCHEDULES/interrupt-unseen.txt" | mktrace -o run.dat && ftwait report run.dat -v | sed '/^OVER/,/^sleep/d' && ftwait report run.dat --timers
