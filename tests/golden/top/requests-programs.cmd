# two servers, each with a tail of its own: who had the CPU shows as in a report, whatever the other one takes
awk -v t=1000000 -v requests=400 -v slow=1 -v without_keeper=1 -f "$SCHEDULES/requests-tail.awk" > all; mktrace -s 50ms -o stream all; ftwait top - -b -n 0 -i 100ms < stream | grep REQ | tail -1; mktrace -o run.dat all; ftwait report run.dat --tail | sed -n 6p
