# numbers, which are no durations
cd $FIXTURES && ftwait report demo.dat --all --count block_rq_complete,by=rwbs,sum=nr_sector --histogram
