import { allCommands, type CommandNode } from './tree.ts';
import { namesOf, optionsAt, singleQuoted, valued, valuePatterns, wordsOf } from './words.ts';

/**
 * A completion for bash 3.2 and later. It walks the words up to the cursor, so that a command is found behind
 * options and their values.
 */
export function bashCompletion(root: CommandNode): string {
  return `# bash completion for herald. Load it with: source <(herald completion bash)

# Sets what may follow a command: its subcommands, options, options with a value, and its argument.
_herald_at() {
  subs='' opts='' valued='' rest=''
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

const WALK = `_herald_reply() {
  local line
  COMPREPLY=()
  case "$1" in
    @files) compopt -o filenames 2>/dev/null; set -- -f ;;
    @directories) compopt -o filenames 2>/dev/null; set -- -d ;;
    @accounts) set -- -W "$(herald -C "\${chdir:-.}" completion --accounts 2>/dev/null)" ;;
    *) set -- -W "$1" ;;
  esac
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$@" -- "$cur")
}

_herald() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD - 1]}"
  local subs opts valued rest values chdir='' at='' word index
  # bash cuts words at "=": --format=json arrives as three.
  if [[ $cur == '=' ]]; then cur=''; elif [[ $prev == '=' ]]; then prev="\${COMP_WORDS[COMP_CWORD - 2]}"; fi
  _herald_at ''
  for ((index = 1; index < COMP_CWORD; index += 1)); do
    word="\${COMP_WORDS[index]}"
    if [[ $word == -* ]]; then
      if [[ " $valued " == *" $word "* ]]; then
        index=$((index + 1))
        if [[ \${COMP_WORDS[index]} == '=' ]]; then index=$((index + 1)); fi
        if [[ $word == -C || $word == --chdir ]]; then chdir="\${COMP_WORDS[index]}"; fi
      fi
    elif [[ " $subs " == *" $word "* ]]; then
      at="\${at:+$at }$word"
      _herald_at "$at"
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
  const { path, commands, argument } = command;
  const options = optionsAt(root, command);
  const below =
    commands.length > 0
      ? `subs=${singleQuoted(commands.map(({ name }) => name).join(' '))}`
      : `rest=${singleQuoted(wordsOf(argument))}`;
  const opts = `opts=${singleQuoted(namesOf(options))} valued=${singleQuoted(namesOf(valued(options)))}`;
  return `    ${singleQuoted(path)}) ${below} ${opts} ;;`;
}

function valueCases(root: CommandNode): readonly string[] {
  return [...valuePatterns(root)].map(
    ([words, patterns]) => `    ${patterns.join(' | ')}) values=${singleQuoted(words)} ;;`,
  );
}
