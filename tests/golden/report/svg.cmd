mktrace -o run.dat "$SCHEDULES/database.txt" && ftwait report run.dat --chains --format svg -o run.svg &&
	sed '/^<script>/,/<.script>$/d' run.svg
