for name in cpu disk lock memory pipe polling stall tail; do ln -s "$FIXTURES/tutorial_$name.dat" $name.dat; ftwait explain $name.dat; echo; done
