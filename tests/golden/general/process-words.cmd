# what cannot be watched; those that can are tried live
printf '#!/bin/sh\n' > no-such-script && chmod +x no-such-script && : > run.dat && cp /bin/true own-true
for words in "why" "why -p 1 2" "why nosuch" "why -p nosuch" "why --comm nosuch" "why 4194305" "why ./nosuch" "why ksoftirqd/999999" "why ./own-true" "why ./no-such-script" "why run.dat" "why ./run.dat" "top nosuch" "top 4194305" "top ./own-true" "top run.dat" "top nosuch -" "record -p ./own-true"; do ftwait $words 2>&1 | sed 's/ that this user may look at//'; done; ftwait why -p "" 2>&1; ftwait why "" 2>&1; ftwait top nosuch
