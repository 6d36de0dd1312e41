ftwait report "$FIXTURES/tutorial_pipe.dat" --chains --evidence -q | tail -n +3
