# bash completion for debye: its options, samples and files
_debye()
{
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  if [ "$previous" = --sample ]; then
    mapfile -t COMPREPLY < <(compgen -W "$(debye-cli sample --list | sed -n 's/^\([a-z][a-z]*\) .*/\1/p')" -- "$current")
  elif [ "${current:0:1}" = - ]; then
    mapfile -t COMPREPLY < <(compgen -W '--sample --new-window --version --help --help-all' -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}
complete -o filenames -F _debye debye
