cd $FIXTURES && ftwait report demo.dat --csv --count block_rq_issue,by=task,sum=bytes,per=100ms
