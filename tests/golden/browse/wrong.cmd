ftwait browse - < /dev/null; echo $?; ftwait browse; echo $?; ftwait browse nosuch.dat < /dev/null; echo $?
