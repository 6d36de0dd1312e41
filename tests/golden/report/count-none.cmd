# none occurred; or they were not recorded, which this file does not say
cd $FIXTURES && { ftwait report demo.dat --count sched_process_exec --comm nobody; ftwait report demo.dat --count sched_pi_setprio --all; }
