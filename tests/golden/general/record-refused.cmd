for wrong in "-b 0 true" "-b 5 true" "--repair run.dat -o other.dat" "--repair run.dat -o ftwait.dat" "--repair run.dat true"; do ftwait record $wrong; echo "status $?"; done
