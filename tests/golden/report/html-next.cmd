# what is behind rows and sentences of a page, of hostile names in a file that has one: no quote ends an attribute
mktrace -o "it's \"<b>.dat" "$SCHEDULES/hostile.txt" && ftwait report "it's \"<b>.dat" --html --all -q -o page.html; grep -o '<main [^>]*>' page.html; grep -o '<p data-next="[^>]*>' page.html; grep -o '<tr [^>]*data-next="[^>]*>' page.html | sort -u
