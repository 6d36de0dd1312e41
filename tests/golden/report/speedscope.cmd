ftwait report run.dat --chains --format speedscope
