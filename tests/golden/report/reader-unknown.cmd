ftwait report --reader nobody run.dat
