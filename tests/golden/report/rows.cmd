cp "$FIXTURES/demo.dat" . && ftwait report demo.dat --rows
