# a real one: a server of which some requests wait for a mutex
ftwait report "$FIXTURES/tail.dat" --tail --comm server 2>&1; ftwait report "$FIXTURES/tail.dat" --tail --per request --from 0.1 --to 0.2 2>&1 | sed -n 4,10p
