# a deadlock in pipes is told as what it is, an inference; an idle pipeline is none; in the graph too
mktrace -o run.dat "$SCHEDULES/pipes.txt"
ftwait report run.dat --summary | sed -n '/deadlock/p'
ftwait report run.dat --comm D --summary | sed -n '/deadlock/p'
ftwait report run.dat --comm F,J --summary | sed -n '/deadlock/p'
ftwait report run.dat --from 0.000001 --graph | sed -n '/deadlock/p;/turns/p'
ftwait report run.dat --to 0.001 --graph | sed -n '/deadlock/p;/turns/p'
sed 's/^  37\/1 B/lost 3 5\n&/' "$SCHEDULES/pipes.txt" | mktrace -o lossy.dat
ftwait report lossy.dat --summary | sed -n '/deadlock/p'
# the recorder saw which processes have the pipes' other ends; of D and E only that of D
waits() {
	echo "waits $1 0 0 S read anon_pipe_read;vfs_read;ksys_read pipe $2 $3"
}
{
	cat "$SCHEDULES/pipes.txt"
	waits A 1 102
	waits B 2 103
	waits C 3 101
	waits D 4 105
	waits E 5 104,106
} > seen.txt
mktrace -o seen.dat seen.txt
ftwait report seen.dat --summary | sed -n '/deadlock/p;/hang/p'
ftwait report seen.dat --comm D --summary | sed -n '/deadlock/p;/hang/p'
