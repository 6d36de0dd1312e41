# a real one: a server of which some requests wait for a mutex
cp "$FIXTURES/tutorial_tail.dat" run.dat; ftwait report run.dat --tail --comm server 2>&1; ftwait report run.dat --tail --per request --from 0.1 --to 0.2 2>&1 | sed -n 4,10p
