cp "$FIXTURES/demo.dat" . && ftwait report demo.dat --chains --format folded | cut -d ";" -f 1 | sed "s/ [0-9]*$//" | sort -u
