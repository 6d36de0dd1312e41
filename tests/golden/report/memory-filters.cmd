mktrace -o run.dat "$SCHEDULES/memory.txt" && ftwait report run.dat --memory --comm builder --sort waiting --top 1
