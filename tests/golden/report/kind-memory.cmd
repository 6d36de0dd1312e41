sed '/^---$/,$d' "$SCHEDULES/../../vectors/C-memory-of-objects.vec" | mktrace | ftwait report --waits --chains --memory --kind memory -
