mktrace -o run.dat "$SCHEDULES/short-stacks.txt"
ftwait report run.dat --off-cpu
ftwait report run.dat --off-cpu --no-stacks | sed -n 3,5p
ftwait report run.dat --off-cpu --json | jq -c '.health.notes'
ftwait report run.dat --off-cpu --format csv | sed -n 1,3p
