#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh BUILD_DIRECTORY: completion in bash, zsh and fish, where they are installed: cases.txt typed
# into each on a terminal. No shell runs the program more often than the cases say. The last line
# counts.
set -u

build=$(cd "$1" && pwd) || exit 1
here=$(cd "$(dirname "$0")" && pwd)
contrib=$here/../../contrib
folder=$(mktemp -d "${TMPDIR:-/tmp}/ftwait-completion.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0 skipped=0

pass() { passed=$((passed + 1)); }
fail() { # WORDS...
	printf 'FAIL completion %s\n' "$*"
	failed=$((failed + 1))
}

mkdir "$folder/bin" "$folder/work" "$folder/work/folder" "$folder/home"
cat > "$folder/bin/ftwait" << END
#!/bin/sh
echo "\$*" >> '$folder/asked'
exec '$build/ftwait' "\$@"
END
printf '#!/bin/sh\n' > "$folder/bin/my-own-program"
chmod +x "$folder"/bin/*
PATH=$folder/bin:$PATH HOME=$folder/home LC_ALL=C.UTF-8 TERM=xterm
export PATH HOME LC_ALL TERM
unset BASH_ENV ENV ZDOTDIR FISH_CONFIG_DIR XDG_CONFIG_HOME XDG_DATA_HOME HISTFILE
cd "$folder/work" || exit 1
: > out-file
: > "my run.dat"

# A command line that was completed tells its words instead of being executed.
cat > "$folder/rc.bash" << END
PS1='READY> '
bind 'set enable-bracketed-paste off'
. '$contrib/ftwait.bash'
ftwait() {
	case \$1:\$2 in
	help:--list) command ftwait "\$@" ;;
	*) printf '%s' GO 'T' && printf '<%s' "\$@" && printf '>%s%s\n' DO NE ;;
	esac
}
END
mkdir "$folder/zsh" "$folder/fish" "$folder/home/.config"
cat > "$folder/zsh/.zshrc" << END
PS1='READY> '
fpath=('$contrib' \$fpath)
autoload -Uz compinit
compinit -D -u
unset zle_bracketed_paste
ftwait() {
	case \$1:\$2 in
	help:--list) command ftwait "\$@" ;;
	*) printf '%s' GO 'T' && printf '<%s' "\$@" && printf '>%s%s\n' DO NE ;;
	esac
}
END
cat > "$folder/fish/config.fish" << END
function fish_prompt; echo 'READY> '; end
function fish_greeting; end
source '$contrib/ftwait.fish'
function ftwait
    if string match -q -- 'help:--list' "\$argv[1]:\$argv[2]"
        command ftwait \$argv
    else
        printf '%s' GO T
        printf '<%s' \$argv
        printf '>%s%s\n' DO NE
    end
end
END

shell_command() { # SHELL
	case $1 in
	bash) echo "bash --noprofile --rcfile $folder/rc.bash -i" ;;
	zsh) echo "env ZDOTDIR=$folder/zsh zsh -i" ;;
	fish) echo "fish --no-config -i -C \"source $folder/fish/config.fish\"" ;;
	esac
}

type_cases() { # SHELL
	: > "$folder/asked"
	sed -e 's/|.*//' -e 's/\\t/\t/g' "$folder/cases" > "$folder/typed"
	eval "\"$build/typist\" $(shell_command "$1")" \
		< "$folder/typed" > "$folder/terminal" 2>&1
	tr -d '\r' < "$folder/terminal" | grep -o 'GOT<.*>DONE' > "$folder/answers"
}

check_cases() { # SHELL
	at=0
	while IFS='|' read -r typed expected _; do
		at=$((at + 1))
		# commas of lists stand between words here, too
		got=$(sed -n "${at}p" "$folder/answers" | sed -e 's/^GOT<//' -e 's/>DONE$//' -e 's,/$,,' -e 's/</,/g')
		if [ "$got" = "$expected" ]; then
			pass
		else
			fail "$1: $typed: expected $expected, got $got"
		fi
	done < "$folder/cases"
	if sed -n -e 's/.*|//' -e 's/^./help --list &/p' "$folder/cases" | diff - "$folder/asked" > "$folder/said"; then
		pass
	else
		fail "$1 asks (>) what it should not, or not (<) what it should:"
		cat "$folder/said"
	fi
}

grep -v '^#' "$here/cases.txt" > "$folder/cases"
for shell in bash zsh fish; do
	if ! command -v $shell > /dev/null; then
		echo "SKIP completion: $shell is not installed"
		skipped=$((skipped + 1))
		continue
	fi
	type_cases $shell
	check_cases $shell
	[ -s "$folder/answers" ] || tail -n 20 "$folder/terminal"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
