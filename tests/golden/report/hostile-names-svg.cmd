mktrace -o run.dat "$SCHEDULES/hostile.txt" && ftwait report run.dat --format svg -o run.svg &&
	sed -n '/^<g class="graph">/,/^<script>/p' run.svg
