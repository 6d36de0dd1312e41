echo not a trace > text.dat && ftwait report text.dat
