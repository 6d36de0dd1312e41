cp "$FIXTURES/tutorial_pipe.dat" run.dat; ftwait report run.dat --advise --top 3 --json
