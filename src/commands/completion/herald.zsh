#compdef herald
_herald() {
  local -a lines=("${(@f)$(herald complete -- "${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
  local -a found=("${(@)lines%%$'\t'*}") shown=("${(@)lines/$'\t'/  }")
  if [[ -n $found ]]; then compadd -l -d shown -a found; else _files; fi
}
if [[ ${funcstack[1]} == _herald ]]; then _herald "$@"; else compdef _herald herald; fi
