mktrace -o run.dat "$SCHEDULES/database.txt" && ftwait report run.dat --waits --format svg -o run.svg &&
	sed '/^<script>/,/<.script>$/d' run.svg
