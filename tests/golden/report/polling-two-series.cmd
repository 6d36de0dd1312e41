mktrace -o run.dat "$SCHEDULES/polling-two-series.txt" && ftwait report run.dat --pid 101 | grep -e 'of fio.101.' -e Polling
