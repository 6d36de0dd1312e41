mktrace -o run.dat "$SCHEDULES/futexes.txt" && ftwait report run.dat --html -o page.html && grep -o '"kind":"condition"' page.html | sort -u; grep -c "</html>" page.html
