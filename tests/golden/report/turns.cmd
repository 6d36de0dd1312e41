mktrace -o run.dat "$SCHEDULES/turns.txt" && ftwait report run.dat --tid 101 && ftwait report run.dat --tid 101 --from 0.05
# no task waits for work in state D: that is how a program waits for the journal of its disk
sed 's/switch S:S/switch S:D/; s/102.sh/102\/jbd2\/sda1-8/' "$SCHEDULES/turns.txt" | mktrace -o journal.dat && ftwait report journal.dat --tid 101 | sed -n 4p
