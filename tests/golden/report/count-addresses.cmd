mktrace -o run.dat "$SCHEDULES/connections.txt" && ftwait report run.dat --count inet_sock_set_state,by=daddr && ftwait report run.dat --count tcp_probe,by=daddr
