cp "$FIXTURES/tutorial_lock.dat" run.dat; ftwait report run.dat --evidence --top 4 | head -20
