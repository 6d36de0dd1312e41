mktrace -o run.dat "$SCHEDULES/polling-shell.txt" && ftwait report run.dat --from 0.05 --to 0.333 | grep Polling
mktrace -o run.dat "$SCHEDULES/polling-two-series.txt" && ftwait report run.dat --to 0.4 | grep Polling
ftwait report "$FIXTURES/tutorial_polling.dat" --from 0.1 --to 0.5 | grep Polling
