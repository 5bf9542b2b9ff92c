function __herald_complete
  set -l word (commandline -ct)
  herald complete -- (commandline -opc)[2..-1] "$word" 2>/dev/null
end
complete -c herald -a '(__herald_complete)'
