cp "$FIXTURES/tutorial_lock.dat" run.dat; ftwait report run.dat --what-if timer:sleep=0.5,lock:254,0:*=0,task:backup=0.25,net:db=0
