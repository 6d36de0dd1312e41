cp "$FIXTURES/tutorial_lock.dat" run.dat; ftwait report run.dat --events --comm deploy --filter 'sched_switch: prev_prio < 100; .*lock.*' --json
