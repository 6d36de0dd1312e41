cd $FIXTURES && ftwait report demo.dat --all --json --pair softirq_entry/softirq_exit,by=cpu --to 0.005
