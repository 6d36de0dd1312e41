cp "$FIXTURES/tutorial_lock.dat" run.dat; ftwait report run.dat --events --comm deploy --from 0.087 --csv --top 3
