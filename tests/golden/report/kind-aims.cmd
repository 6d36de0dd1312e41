# chains and the graph of waits that were for a kind of aim: also of a lock that its holder handed over, or that nobody got
mktrace -o a.dat "$SCHEDULES/flock-in-vain.txt"; ftwait report a.dat --all --chains --kind lock | sed -n '3,10p'; mktrace -o b.dat "$SCHEDULES/database.txt"; for kind in child time disk; do ftwait report b.dat --all --chains --graph --kind "$kind" | grep "asked kinds"; done
