# each is short for --format
cp "$FIXTURES/demo.dat" run.dat
same() {
	format=$1
	shift
	ftwait "$@" --$format > short && ftwait "$@" --format $format > long && [ -s short ] && cmp short long && echo "$1 --$format"
}
for format in json csv folded svg dot html perfetto; do
	same $format report run.dat
done 2> /dev/null
for format in json csv folded html; do
	same $format diff run.dat run.dat
done
for format in json csv; do
	echo 'count disk < 100000' > budget
	same $format check run.dat --budget budget
done
ftwait report run.dat --csv --waits --chains --tid 1484 | head -n 3
