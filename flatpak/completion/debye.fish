# fish completion for debye: its options and samples; files by themselves
complete -c debye -l sample -x -d 'Open a sample and run its analysis' -a "(debye-cli sample --list | string match -r '^[a-z]+(?= )')"
complete -c debye -l new-window -d 'Open a new window'
complete -c debye -l version -d 'Show the version'
complete -c debye -s h -l help -d 'Explain the options'
complete -c debye -l help-all -d 'Explain those of GTK, too'
