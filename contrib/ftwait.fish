# SPDX-License-Identifier: GPL-2.0-or-later
# fish completion for ftwait, which knows itself what can stand where; made by:
# ftwait help --completion=fish
function __ftwait_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l answer ($words[1] help --complete=fish -- (count $words) $words "$current" 2>/dev/null)
    set -l kind (string split -m 1 -- ' ' $answer[1])
    set -l kept $kind[2]
    set -l value $answer[2]
    switch "$kind[1]"
        case words
            printf '%s\n' $answer[2..-1]
        case files
            printf '%s\n' $kept(__fish_complete_path "$value")
        case folders
            printf '%s\n' $kept(__fish_complete_directories "$value" '')
        case recordings
            set -l paths (__fish_complete_path "$value")
            set -l first (string match -r -- '^[^\t]*(?:\.dat(?:\.[^\t]*)?|/)(?:\t.*)?$' $paths)
            test -n "$first"; and set paths $first
            printf '%s\n' $kept$paths
        case programs
            __fish_complete_subcommand --fcs-skip=$kind[2]
    end
end
complete -c ftwait -k -f -a '(__ftwait_complete)'
