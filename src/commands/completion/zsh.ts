import { allCommands, type CommandNode } from './tree.ts';
import { namesOf, optionsAt, singleQuoted, valued, valuePatterns, wordsOf } from './words.ts';

/** A completion for zsh, with the descriptions of commands and options. */
export function zshCompletion(root: CommandNode): string {
  return `#compdef herald
# zsh completion for herald. Load it with: source <(herald completion zsh)

# Sets what may follow a command: its subcommands, options, options with a value, and its argument.
_herald_at() {
  subs=() opts=() valued=() rest=''
  case $1 in
${allCommands(root)
  .map((command) => commandCase(root, command))
  .join('\n')}
    (*) return 1 ;;
  esac
}

# Completes the value of an option, named with its command.
_herald_value() {
  case $1 in
${valueCases(root).join('\n')}
  esac
}

${WALK}`;
}

const WALK = `_herald_reply() {
  local -a names
  case $1 in
    (@files) _files ;;
    (@directories) _files -/ ;;
    (@accounts)
      names=(\${(f)"$(herald -C \${chdir:-.} completion --accounts 2>/dev/null)"})
      compadd -- $names
      ;;
    (*) compadd -- \${=1} ;;
  esac
}

_herald() {
  emulate -L zsh
  local -a subs opts valued
  local rest='' at='' chdir='' word=''
  local -i index
  _herald_at ''
  for (( index = 2; index < CURRENT; index += 1 )); do
    word=\${words[index]}
    if [[ $word == -* ]]; then
      if (( \${valued[(Ie)$word]} )); then
        index+=1
        if [[ $word == -C || $word == --chdir ]]; then chdir=\${words[index]}; fi
      fi
    elif (( \${#\${(M)subs:#$word:*}} )); then
      at="\${at:+$at }$word"
      _herald_at $at
    fi
  done
  word=\${words[CURRENT - 1]}
  if (( CURRENT > 2 && \${valued[(Ie)$word]} )); then
    _herald_value "$at $word"
  elif [[ $PREFIX == --*=* ]]; then
    word=\${PREFIX%%=*}
    compset -P '*='
    _herald_value "$at $word"
  elif [[ $PREFIX == -* ]]; then
    _describe -o option opts
  elif (( \${#subs} )); then
    _describe command subs
  else
    _herald_reply $rest
  fi
}

if [[ \${funcstack[1]} == _herald ]]; then
  _herald "$@"
else
  compdef _herald herald
fi
`;

function commandCase(root: CommandNode, command: CommandNode): string {
  const { path, commands, argument } = command;
  const options = optionsAt(root, command);
  const subs = commands.map(({ name, description }) => described(name, description));
  const opts = options.flatMap(({ names, description }) => names.map((name) => described(name, description)));
  return [
    `    (${singleQuoted(path)})`,
    commands.length > 0 ? `      subs=(${subs.join(' ')})` : `      rest=${singleQuoted(wordsOf(argument))}`,
    `      opts=(${opts.join(' ')})`,
    `      valued=(${namesOf(valued(options))})`,
    '      ;;',
  ].join('\n');
}

function valueCases(root: CommandNode): readonly string[] {
  return [...valuePatterns(root)].map(
    ([words, patterns]) => `    (${patterns.join('|')}) _herald_reply ${singleQuoted(words)} ;;`,
  );
}

/** `name:what it does`, as _describe reads it. */
function described(name: string, description: string): string {
  return singleQuoted(`${name.replaceAll(':', '\\:')}:${description.replaceAll(':', '\\:')}`);
}
