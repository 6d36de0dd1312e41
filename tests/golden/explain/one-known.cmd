ln -s "$FIXTURES/tutorial_disk.dat" disk.dat; ftwait explain disk.dat why is the app dd slow
