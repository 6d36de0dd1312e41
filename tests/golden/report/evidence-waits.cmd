cp "$FIXTURES/tutorial_disk.dat" run.dat; ftwait report run.dat --waits --sort wait --top 3 --evidence --critical-path
