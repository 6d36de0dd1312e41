# the server is in the recording; its kernel (6.1) has no events for calls that send and receive
ftwait report --net "$FIXTURES"/three/client.dat.zst "$FIXTURES"/three/server.dat.zst "$FIXTURES/three/db.dat.zst" |
	grep 'waited most for answers'
ftwait report --net "$FIXTURES"/three/client.dat.zst | grep 'waited most for answers'
