cd $FIXTURES && ftwait report demo.dat --all --csv --pair softirq_entry/softirq_exit,by=vec --to 0.003
