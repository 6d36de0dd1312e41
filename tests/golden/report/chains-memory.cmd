sed '/^---$/,$d' "$SCHEDULES/../../vectors/C-memory-throttle.vec" | mktrace | ftwait report --chains -
