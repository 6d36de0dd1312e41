cp "$FIXTURES/tutorial_lock.dat" run.dat; ftwait report run.dat --what-if timer:sleep=0.5,net:db=0 --csv
