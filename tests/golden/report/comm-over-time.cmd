# --comm takes whole tasks: which of those it shows had the name only for a time is said
mktrace -o run.dat "$SCHEDULES/names-over-time.txt" || exit 1
tasks() { echo "$*"; ftwait report run.dat --format csv --summary "$@" 2>&1 | sed -n '/^# summary.tasks/,/^$/p; /^ftwait:/p' | grep -oE '^ftwait.*|^[a-z]+,[0-9]+'; }
tasks --comm prog
tasks --comm ftwait
tasks --comm ftwait --to 0.001
tasks --comm sh
tasks --comm sh,prog,app
tasks --comm s?
tasks --comm app --to 0.003
