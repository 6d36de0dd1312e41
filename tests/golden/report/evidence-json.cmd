cp "$FIXTURES/tutorial_disk.dat" run.dat; ftwait report run.dat --waits --comm dd --evidence --json
