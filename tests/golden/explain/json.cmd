ln -s "$FIXTURES/tutorial_lock.dat" lock.dat; ftwait explain lock.dat --json; ftwait explain lock.dat --json --comm deploy lock
