ln -s "$FIXTURES/tutorial_stall.dat" stall.dat; ftwait explain stall.dat server lock --from 1.9 --to 2.4
