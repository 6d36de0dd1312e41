cp "$FIXTURES/demo.dat" . && ftwait report --reader libtracecmd demo.dat <&- | sed 3q
