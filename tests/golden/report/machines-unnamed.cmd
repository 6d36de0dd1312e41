# fewer names than files
for of in web db; do awk -v machine=$of -f "$SCHEDULES/machines.awk" > $of.txt; mktrace -o $of.dat $of.txt; done; cp db.dat third.dat; sed /net_dev_queue/d web.txt | mktrace -o mute.dat; ftwait report web.dat db.dat mute.dat --name a,b > out; ftwait report web.dat db.dat mute.dat --name a > out; ftwait report web.dat db.dat --name a,b,c
