# --comm and --tid narrow a recording of a command; --all widens, and one line says what is left out
mktrace -o run.dat "$SCHEDULES/command-and-namesake.txt" || exit 1
tasks() { echo "$*"; ftwait report run.dat --format csv --summary "$@" 2>&1 | sed -n '/^# summary.tasks/,/^$/p; /^ftwait:/p' | grep -oE '^ftwait.*|^[a-z]+,[0-9]+'; }
tasks --comm app
tasks --comm app --all
tasks --comm sh
tasks --tid 900
tasks --tid 900 -a
ftwait report run.dat --critical-path=app | grep '^Of'
ftwait report run.dat --comm app 2>/dev/null | grep -E 'together|Longest wait'
