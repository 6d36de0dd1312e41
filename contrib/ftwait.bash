# SPDX-License-Identifier: GPL-2.0-or-later
# bash completion for ftwait; made by: ftwait help --completion
_ftwait()
{
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
	local command=${COMP_WORDS[1]} words= listed=

	COMPREPLY=()
	if [ "$before" = = ]; then
		before=${COMP_WORDS[COMP_CWORD-2]}
	elif [ "$word" = = ]; then
		word=
	fi
	if [ "$COMP_CWORD" -eq 1 ] || { [ "$command" = help ] && [[ $word != -* ]]; }; then
		COMPREPLY=($(compgen -W "record report list doctor cleanup help --help --version" -- "$word"))
		return
	fi
	[[ $word == *,* ]] && listed=${word%,*},
	case $command:$before in
	report:--kind)
		COMPREPLY=($(compgen -P "$listed" -W "unknown task disk net timer irq softirq work work-pending signal ipi rcu lock memory fork wake-latency idle frozen throttled preempted woken" -- "${word##*,}"))
		return
		;;
	report:--by)
		COMPREPLY=($(compgen -W "nothing comm kind function" -- "$word"))
		return
		;;
	report:--format)
		COMPREPLY=($(compgen -W "text json csv folded svg speedscope dot" -- "$word"))
		return
		;;
	report:--sort)
		COMPREPLY=($(compgen -W "waiting running runnable preempted throttled stopped unknown time longest waits total count max path raw migrations queue device bytes connect retransmits resets slept errors begin end wait delay duration" -- "$word"))
		return
		;;
	report:--color)
		COMPREPLY=($(compgen -W "auto always never" -- "$word"))
		return
		;;
	report:--reader)
		COMPREPLY=($(compgen -W "native libtracecmd" -- "$word"))
		return
		;;
	esac
	case $command in
	record)
		words="--events --pid --stacks --profile --duration --buffer --force --clock --ring --no-mount --output --repair --quiet --verbose --help"
		;;
	report)
		words="--summary --chains --off-cpu --critical-path --graph --sched --disk --net --lock --memory --syscall --irq --processes --waits --pid --tid --comm --all --cpu --kind --from --to --min --wait --no-submitters --through-polls --fold-wakes --histogram --by --no-stacks --format --json --folded --top --sort --color --output --quiet --verbose --reader --symfs --strict --help"
		;;
	list)
		words="--json --help"
		;;
	doctor)
		words="--gaps --help"
		;;
	cleanup)
		words="--help"
		;;
	help)
		words="--completion --help"
		;;
	esac
	if [[ $word != -* ]]; then
		compopt -o filenames 2>/dev/null
		COMPREPLY=($(compgen -f -- "$word"))
		return
	fi
	COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -F _ftwait ftwait
