cp "$FIXTURES/tutorial_lock.dat" run.dat; ftwait report run.dat --events --filter 'sched_switch: no_such_field == 1'
