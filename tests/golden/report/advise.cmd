cp "$FIXTURES/tutorial_disk.dat" run.dat; ftwait report run.dat --advise
