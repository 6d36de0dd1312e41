# several commands: first sentence, costs and path are of the one that the others serve, in any order of the files
cd "$FIXTURES/three"
for order in 'client server db' 'client db server' 'server client db' 'server db client' 'db client server' \
	'db server client'; do
	set --
	for name in $order; do
		set -- "$@" "$name.dat.zst"
	done
	ftwait report --summary --critical-path "$@" |
		grep -E '^Of |commands were recorded|^[a-z]*:[a-z]*\[[0-9]*\] took'
	ftwait report --costs "$@" | sed -n '/^Costs/,/^$/p' | sed -n 2p
done | sort | uniq -c
