ftwait report nothing.dat
