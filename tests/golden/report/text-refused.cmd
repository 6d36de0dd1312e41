head -n 11 "$SCHEDULES/android.txt" > head.txt; ftwait report head.txt; printf '<!DOCTYPE html>\n<p>text\n' > page.html; ftwait report page.html
