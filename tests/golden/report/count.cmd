# events of a recorded command, and those of others
cd $FIXTURES && ftwait report demo.dat --count "*" --top 5 && ftwait report demo.dat --all --count "block:*" && ftwait report demo.dat --comm dd --cpu 0 --count sched_switch,by=task
