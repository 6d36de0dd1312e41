# what another task did is not recorded: a colon, as that is no verb
ftwait report "$FIXTURES/three/client.dat.zst" --summary --to 0.2 | grep 'of client'
