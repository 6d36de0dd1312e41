ftwait report --through-polls --no-through-polls "$FIXTURES/demo.dat"
