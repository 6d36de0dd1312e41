# links of one name in a row are said once
mktrace -o run.dat "$SCHEDULES/thread-relay.txt" && ftwait report run.dat | grep -A2 "^Most:" && ftwait report run.dat --chains | sed -n '/^Chains/,/^health/p'
