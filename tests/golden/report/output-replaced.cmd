mktrace -o run.dat "$SCHEDULES/database.txt"; umask 027
echo precious > file; chmod 604 file; ln -s file link; before=$(stat -c %i file)
ftwait report run.dat --waits -o link; stat -c '%N %a' file link; head -n 1 file
[ "$(stat -c %i file)" != "$before" ] && echo another file under the old name
ftwait report run.dat --waits -o new; stat -c '%N %a' new; cmp file new
echo "both names stay one file:"; echo precious > one; ln one other; ftwait report run.dat --waits -o one; cmp one other; cmp one new
echo "what is no file is written to:"; mkfifo pipe; cat pipe > copy & ftwait report run.dat --waits -o pipe; wait $!; cmp copy new; ls -l pipe | cut -c 1
ftwait report run.dat --waits -o /dev/null; echo before > log; ftwait report run.dat --waits -o /dev/stdout >> log; (echo before; cat new) | cmp - log
ls -A
