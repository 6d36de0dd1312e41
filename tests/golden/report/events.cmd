cp "$FIXTURES/tutorial_lock.dat" run.dat; ftwait report run.dat --events --all --top 6
