cp "$FIXTURES/tutorial_lock.dat" run.dat; ftwait report run.dat --events --all --filter 'sched_process_exec' --csv
