cp "$FIXTURES/tutorial_lock.dat" run.dat; ftwait report run.dat --chains --comm deploy --evidence --json
