mktrace -o b.dat "$SCHEDULES/database.txt" && head -c $(($(stat -c %s b.dat) - 2000)) b.dat > cut.dat; ftwait report cut.dat --top 2; ftwait report cut.dat --format csv --waits > out
