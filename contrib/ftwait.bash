# SPDX-License-Identifier: GPL-2.0-or-later
# bash completion for ftwait. Commands, options and their values are those of "ftwait help --list",
# which is asked once for each word; everything else is the name of a file.
_ftwait()
{
	local program=${1:-${COMP_WORDS[0]}} command=${COMP_WORDS[1]} word=${COMP_WORDS[COMP_CWORD]}
	local before=${COMP_WORDS[COMP_CWORD - 1]} kept text at
	local -a list

	COMPREPLY=()
	for ((at = 2; at < COMP_CWORD; at++)); do
		[[ $command == record && ${COMP_WORDS[at]} == -- ]] || continue
		if declare -F _command_offset > /dev/null; then
			_command_offset $((at + 1))
		elif ((COMP_CWORD == at + 1)); then
			mapfile -t COMPREPLY < <(compgen -c -- "$word")
		fi
		return
	done
	# bash makes three words of --format=json
	[[ $word == = ]] && before+== word=
	[[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD - 2]}=
	if ((COMP_CWORD == 1)); then
		list=(commands)
	elif [[ $word == -* ]]; then
		list=(options "$command")
	elif [[ $before == -* ]]; then
		list=("$before" "$command")
	elif [[ $command == help ]]; then
		list=(topics)
	elif [[ $command == list ]]; then
		list=(events record)
	else
		return
	fi
	kept=${word%"${word##*[,+]}"} # the elements of a list before the one at the cursor
	[[ $program == \~/* ]] && program=$HOME/${program#\~/}
	while IFS=$'\t' read -r text _; do
		[[ $kept$text == "$word"* ]] && COMPREPLY+=("$kept$text")
	done < <("$program" help --list "${list[@]}" 2> /dev/null)
	[[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2> /dev/null
	return 0
}
complete -o default -F _ftwait ftwait
