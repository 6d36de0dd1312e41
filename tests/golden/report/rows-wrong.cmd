ftwait report run.dat --rows --json; ftwait report run.dat --rows=wait
