ln -s "$FIXTURES/demo.dat" demo.dat; ftwait explain demo.dat why is nosuch slow; echo $?; ftwait explain demo.dat 99999 --json; echo $?; ftwait explain; echo $?; ftwait explain nosuch.dat; echo $?
