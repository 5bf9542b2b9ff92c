import { allCommands, type CommandNode } from './nodes.ts';
import { argumentsOf, namesOf, optionsAt, singleQuoted, valued, valuePatterns } from './words.ts';

/**
 * Completion script for bash 3.2 and later. It reads the words up to the cursor, so it finds a command after options
 * and their values.
 */
export function bashCompletion(root: CommandNode): string {
  return `# bash completion for herald. Load it with: source <(herald completion bash)

# Sets what may follow a command: its subcommands, options, options with a value, its argument and more of them.
_herald_at() {
  subs='' opts='' valued='' rest='' more=''
  case "$1" in
${allCommands(root)
  .map((command) => commandCase(root, command))
  .join('\n')}
    *) return 1 ;;
  esac
}

# Sets what the value of an option is: words, or @files, @directories, @accounts.
_herald_value() {
  values=''
  case "$1" in
${valueCases(root).join('\n')}
  esac
}

${WALK}`;
}

const WALK = `# Keeps a directory of -C without its quotes, and with ~ replaced by the home directory.
_herald_enter() {
  local directory="$1"
  case "$directory" in
    '~' | '~/'*) directory="$HOME\${directory#'~'}" ;;
  esac
  case "$directory" in
    \\"* | \\'*) directory="\${directory#?}" directory="\${directory%[\\"\\']}" ;;
    *\\\\*) IFS= read directory <<<"$directory" ;;
  esac
  chdirs+=(-C "$directory")
}

# Paths as herald reads them: from the directory of -C.
_herald_paths() {
  local line
  while (($# > 1)); do
    CDPATH='' builtin cd -- "$2" >/dev/null 2>&1 || return
    shift 2
  done
  while IFS= read -r line; do
    # Where bash stands elsewhere it cannot see that this is a directory.
    if [[ \${#chdirs[@]} -gt 0 && $line != /* && -d $line ]]; then line+=/; fi
    printf '%s\\n' "$line"
  done < <(compgen "$kind" -- "$cur")
}

_herald_reply() {
  local line kind='' words="$1"
  COMPREPLY=()
  case "$1" in
    @files) kind=-f ;;
    @directories) kind=-d ;;
    @accounts) words="$(herald \${chdirs[@]+"\${chdirs[@]}"} completion --accounts 2>/dev/null)" ;;
  esac
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(
    if [[ $kind == '' ]]; then compgen -W "$words" -- "$cur"; else _herald_paths \${chdirs[@]+"\${chdirs[@]}"}; fi
  )
  if [[ $kind == '' ]]; then return; fi
  compopt -o filenames 2>/dev/null
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == */ ]]; then compopt -o nospace 2>/dev/null; fi
}

_herald() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD - 1]}"
  local subs opts valued rest more values at='' word index
  local -a chdirs=()
  # bash cuts words at "=": --format=json arrives as three.
  if [[ $cur == '=' ]]; then cur=''; elif [[ $prev == '=' ]]; then prev="\${COMP_WORDS[COMP_CWORD - 2]}"; fi
  if [[ $prev == -[!-C]*C ]]; then prev=-C; fi
  _herald_at ''
  for ((index = 1; index < COMP_CWORD; index += 1)); do
    word="\${COMP_WORDS[index]}"
    if [[ $word == -[!-C]*C ]]; then word=-C; fi
    if [[ " $valued " == *" $word "* ]]; then
      index=$((index + 1))
      if [[ \${COMP_WORDS[index]} == '=' ]]; then index=$((index + 1)); fi
      if [[ $word == -C || $word == --chdir ]] && ((index < COMP_CWORD)); then _herald_enter "\${COMP_WORDS[index]}"; fi
    elif [[ $word == -C?* ]]; then
      _herald_enter "\${word#-C}"
    elif [[ " $subs " == *" $word "* ]]; then
      at="\${at:+$at }$word"
      _herald_at "$at"
    elif [[ $word != -?* ]]; then
      rest=$more
    fi
  done
  if [[ " $valued " == *" $prev "* ]]; then
    _herald_value "$at $prev"
    _herald_reply "$values"
  elif [[ $cur == -* ]]; then
    _herald_reply "$opts"
  else
    _herald_reply "\${rest:-$subs}"
  fi
}

complete -F _herald herald
`;

function commandCase(root: CommandNode, command: CommandNode): string {
  const { path, commands } = command;
  const options = optionsAt(root, command);
  const below =
    commands.length > 0
      ? `subs=${singleQuoted(commands.map(({ name }) => name).join(' '))}`
      : argumentsOf(command);
  const opts = `opts=${singleQuoted(namesOf(options))} valued=${singleQuoted(namesOf(valued(options)))}`;
  return `    ${singleQuoted(path)}) ${below} ${opts} ;;`;
}

function valueCases(root: CommandNode): readonly string[] {
  return [...valuePatterns(root)].map(
    ([words, patterns]) => `    ${patterns.join(' | ')}) values=${singleQuoted(words)} ;;`,
  );
}
