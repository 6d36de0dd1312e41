# SPDX-License-Identifier: GPL-2.0-or-later
# bash completion for ftwait, which knows itself what can stand where; made by:
# ftwait help --completion=bash
_ftwait()
{
	local program=${1:-${COMP_WORDS[0]}} kind IFS=$' \t\n'
	local -a answer

	COMPREPLY=()
	[[ $program == \~/* ]] && program=$HOME/${program#\~/}
	mapfile -t answer < <("$program" help --complete=bash -- "$COMP_CWORD" "${COMP_WORDS[@]}" \
		2> /dev/null)
	kind=${answer[0]%% *}
	case $kind in
	words | files | folders | recordings)
		COMPREPLY=("${answer[@]:1}")
		[ "$kind" = words ] || compopt -o filenames 2> /dev/null
		[ "$kind" = words ] && compopt -o nosort 2> /dev/null
		[[ $kind = words && ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=:\>] ]] &&
			compopt -o nospace 2> /dev/null
		;;
	programs)
		if declare -F _command_offset > /dev/null; then
			_command_offset "${answer[0]#* }"
		elif [ "$COMP_CWORD" -eq "${answer[0]#* }" ]; then
			mapfile -t COMPREPLY < <(compgen -c -- "${COMP_WORDS[COMP_CWORD]}")
		else
			compopt -o default 2> /dev/null
		fi
		;;
	esac
	return 0
}
complete -F _ftwait ftwait
