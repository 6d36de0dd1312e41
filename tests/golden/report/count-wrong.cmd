# a name or a field that is not there, and what is meant; what is no KEY; too many slices
cd $FIXTURES && for count in sched_swich kvm:kvm_exit sched_switch,by=prev_com sched_switch,sum=x sched_switch,to=x ,by=task sched_switch,per=1ns; do ftwait report demo.dat --count "$count"; done
