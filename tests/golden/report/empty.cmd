echo "tasks A=1" > none.txt && mktrace -o run.dat none.txt && ftwait report run.dat
