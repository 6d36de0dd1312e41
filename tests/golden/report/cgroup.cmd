mktrace -o run.dat "$SCHEDULES/services.txt" && ftwait report run.dat --cgroup "nightly*" &&
ftwait report run.dat --cgroup /system.slice --json | grep "\"task\": {\"tid\"" | head -n 4 | cut -c-120 &&
ftwait report run.dat --cgroup web.servic --waits
