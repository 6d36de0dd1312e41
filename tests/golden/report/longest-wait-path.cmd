mktrace -o run.dat "$SCHEDULES/database.txt" && ftwait report run.dat --waits --sort wait --top 3 && $(ftwait report run.dat | sed -n 's/.*its path:/ftwait report run.dat/p') --top 5
