# nobody of that name: one sentence, and no table without rows
ftwait report "$FIXTURES/demo.dat" --comm nosuch | sed 1d
