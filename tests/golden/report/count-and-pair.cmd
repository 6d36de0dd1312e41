cp "$FIXTURES/tutorial_lock.dat" run.dat; ftwait report run.dat --all --count 'sched_*' --pair contention_begin/contention_end,by=lock_addr
