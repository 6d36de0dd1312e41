# the first thread of a command ends by itself: all views are about the thread that its process lives on as
sed '/^---$/,$d' "$SCHEDULES/../../vectors/V-path-of-a-process-whose-first-thread-ended.vec" | mktrace -o run.dat || exit 1
ftwait report run.dat | sed -n '/^Summary/,/^Look/p'
ftwait report run.dat --critical-path | grep '^Of'
ftwait report run.dat --costs | head -12
ftwait report run.dat --to 0.03 | sed -n '/^Summary/,/ TIME/p'
