_herald() {
  local word
  COMPREPLY=()
  while IFS=$'\t' read -r word _; do COMPREPLY+=("$word"); done \
    < <(herald complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _herald herald
