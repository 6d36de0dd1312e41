# values in words: texts, functions, devices, and their sums
cd $FIXTURES && ftwait report demo.dat --count block_rq_issue,by=rwbs,sum=bytes && ftwait report demo.dat --count block_rq_issue,by=dev && ftwait report demo.dat --all --count hrtimer_start,by=function,sum=mode --sort sum && ftwait report demo.dat --all --count softirq_entry,by=vec
