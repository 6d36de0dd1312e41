cd $FIXTURES && ftwait report demo.dat --all --count sched_switch,by=cpu,per=10ms && ftwait report demo.dat --all --from 0.1 --to 0.2 --count sched_waking,by=comm,per=50ms --top 3
