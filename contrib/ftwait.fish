# SPDX-License-Identifier: GPL-2.0-or-later
# fish completion for ftwait. Commands, options and their values are those of "ftwait help --list",
# which is asked once for each word; everything else is the name of a file.
function __ftwait_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set word (string unescape -- "$word"; or string trim -l -c "\"'" -- "$word") # an open quote
    set -l command $words[2]
    set -l list
    if test "$command" = record; and set -l at (contains -i -- -- $words)
        set -l line (string escape -- $words[(math $at + 1)..-1]) (commandline -ct)
        complete -C "$line"
        return
    else if test (count $words) -eq 1
        set list commands
    else if string match -q -- '--*=*' "$word"
        set list (string replace -r '=.*' = -- "$word") $command
    else if string match -q -- '-*' "$word"
        set list options $command
    else if string match -q -- '-*' $words[-1]
        set list $words[-1] $command
    else if test "$command" = help
        set list topics
    else if test "$command" = list
        set list events record
    end
    # the option, and the elements of a list before the one at the cursor
    set -l kept (string match -r -- '^(?:--[^=]*=)?(?:.*[,+])?' "$word")
    set -l items
    test -n "$list"; and set items $kept($words[1] help --list $list 2>/dev/null)
    if test -z "$items"
        set kept (string match -r -- '^(?:--[^=]*=)?' "$word")
        set items $kept(__fish_complete_path (string replace -- "$kept" '' "$word"))
    end
    printf '%s\n' $items
end
complete -c ftwait -k -f -a '(__ftwait_complete)'
