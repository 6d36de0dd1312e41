# a deadlock in pipes is told as what it is, an inference; an idle pipeline is none; in the graph too
mktrace -o run.dat "$SCHEDULES/pipes.txt"
ftwait report run.dat --summary | sed -n '/deadlock/p'
ftwait report run.dat --comm D --summary | sed -n '/deadlock/p'
ftwait report run.dat --comm F,J --summary | sed -n '/deadlock/p'
ftwait report run.dat --from 0.000001 --graph | sed -n '/deadlock/p;/turns/p'
ftwait report run.dat --to 0.001 --graph | sed -n '/deadlock/p;/turns/p'
sed 's/^  37\/1 B/lost 3 5\n&/' "$SCHEDULES/pipes.txt" | mktrace -o lossy.dat
ftwait report lossy.dat --summary | sed -n '/deadlock/p'
