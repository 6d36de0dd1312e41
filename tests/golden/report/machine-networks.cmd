# the network in a whole machine's answer. A sends through eth0 and over loopback. B is in a container:
# its eth0 has the same name, but what goes through it comes out of veth7 on this machine, or back. The
# ACK that the soft interrupt sends at 40 crosses to B, too, although no task has sent it.
machine() {
	cat <<- 'END'
		cpus 1
		tasks A=101 B=102
		recorded sched,net
		unit ms
		  0/0 0     sched_switch 0:R > A
		 10/0 A     net_dev_queue eth0 150000 P1
		 11/0 A     net_dev_queue lo 700000 P2
		 12/0 A[s]  netif_receive_skb lo 699986 P2
		 13/0 A[s]  netif_receive_skb eth0 3000 P3
		 20/0 A     sched_switch A:S > B
		 21/0 B     net_dev_queue eth0 900000 P4
		 22/0 B     netif_rx veth7 899986 P4
		 23/0 B[s]  netif_receive_skb veth7 899986 P4
		 30/0 B     sched_switch B:S > 0
		 40/0 0[s]  net_dev_queue veth7 66 P5
		 41/0 0[s]  netif_rx eth0 52 P5
		 42/0 0[s]  netif_receive_skb eth0 52 P5
	END
}
{
	machine
	echo '100/0 0 sched_switch 0:R > A'
} | mktrace -o both.dat
ftwait report both.dat | sed -n 4p
ftwait report both.dat --json | jq -c .summary.networks
# a window that is too short
ftwait report both.dat --to 0.05 --json | jq -c .summary.networks
# nothing leaves the machine
machine | grep -v ' eth0 .*P[13]' | mktrace -o inside.dat
ftwait report inside.dat | sed -n 4p
# some events are lost; only packets that were sent are recorded; a sentence of its own
{
	machine
	echo 'lost 0 7'
	echo '100/0 0 sched_switch 0:R > A'
} | mktrace -o lost.dat
ftwait report lost.dat | sed -n 4p
machine | sed 's/^recorded .*/recorded sched,net:net_dev_queue/' | grep -v netif | mktrace -o sent.dat
ftwait report sent.dat | sed -n 4p
ftwait report sent.dat --json | jq -c .summary.networks
{
	machine | sed 's/ eth0 / enp0s31f6f1np1 /'
	echo '100/0 0 sched_switch 0:R > A'
	echo 'lost 0 7'
	echo '110/0 A     block_rq_issue 259,10 100+8 W'
	echo '210/0 A     block_rq_complete 259,10 100+8 W'
	echo '1000/0 A sched_switch A:R+ > B'
	echo '2000/0 B sched_switch B:R+ > A'
} | mktrace -o long.dat
ftwait report long.dat | sed -n 4,5p
ftwait report long.dat --to 0.2 | sed -n 4p
