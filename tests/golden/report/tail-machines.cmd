# through the wire: the client waits for a server on another machine, and meanwhile the disk of a third one is busy
cd "$FIXTURES/three"; set -- client.dat.zst server.dat.zst db.dat.zst --tail=15%; ftwait report "$@" 2>&1 | sed -n '4,/^What/p'; ftwait report "$@" --json | grep '"named"'
