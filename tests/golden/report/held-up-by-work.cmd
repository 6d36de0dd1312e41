# who waits for a work item is held up if it, or what it waits for, queued it; who only gets what others queue is not
mktrace -o run.dat "$SCHEDULES/work-of-others.txt" && ftwait report run.dat | grep 'Held up'
