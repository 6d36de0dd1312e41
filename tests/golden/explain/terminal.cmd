ln -s "$FIXTURES/tutorial_disk.dat" disk.dat; terminal 72 ftwait explain disk.dat why is request slow
