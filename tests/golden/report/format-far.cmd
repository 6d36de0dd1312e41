ftwait report --format yaml run.dat
