sed '/^---$/,$d' "$SCHEDULES/../../vectors/C-polls-for-an-older-child.vec" | mktrace | ftwait report --summary - | grep -A 1 Polling
