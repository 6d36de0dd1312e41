cp "$FIXTURES/tutorial_lock.dat" run.dat; ftwait report run.dat --events --filter 'sched_switch: prev_prio < 100 || next_pro < 100'
