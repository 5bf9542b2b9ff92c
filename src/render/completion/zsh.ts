import { allCommands, type CommandNode } from './nodes.ts';
import { argumentsOf, namesOf, optionsAt, singleQuoted, valued, valuePatterns } from './words.ts';

/** Completion script for zsh, with descriptions of commands and options. */
export function zshCompletion(root: CommandNode): string {
  return `#compdef herald
# zsh completion for herald. Load it with: source <(herald completion zsh)

# Sets what may follow a command: its subcommands, options, options with a value, its argument and more of them.
_herald_at() {
  subs=() opts=() valued=() rest='' more=''
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

const WALK = `# Keeps a directory of -C without its quotes, and with ~ replaced by the home directory.
_herald_enter() {
  local directory=\${(Q)1}
  if [[ $1 == '~' || $1 == '~/'* ]]; then directory=$HOME\${directory#'~'}; fi
  chdirs+=(-C "$directory")
  if [[ $directory == /* ]]; then base=$directory; else base=\${base:+$base/}$directory; fi
}

# Paths as herald reads them: from the directory of -C.
_herald_files() {
  if [[ -z $base ]]; then
    _files "$@"
  elif [[ -d $base ]]; then
    _files -W \${base:a} "$@"
  fi
}

_herald_reply() {
  local -a names
  case $1 in
    (@files) _herald_files ;;
    (@directories) _herald_files -/ ;;
    (@accounts)
      names=(\${(f)"$(herald $chdirs completion --accounts 2>/dev/null)"})
      compadd -- $names
      ;;
    (*) compadd -- \${=1} ;;
  esac
}

_herald() {
  local -a subs names opts valued chdirs
  local rest='' more='' at='' word='' base=''
  local -i index
  _herald_at ''
  for (( index = 2; index < CURRENT; index += 1 )); do
    word=\${words[index]}
    names=(\${subs%%:*})
    if [[ $word == -[^-C]*C ]]; then word=-C; fi
    if (( \${valued[(Ie)$word]} )); then
      index+=1
      if [[ $word == -C || $word == --chdir ]] && (( index < CURRENT )); then _herald_enter "\${words[index]}"; fi
    elif [[ $word == --chdir=?* ]]; then
      _herald_enter "\${word#--chdir=}"
    elif [[ $word == -C?* ]]; then
      _herald_enter "\${word#-C}"
    elif (( \${names[(Ie)$word]} )); then
      at="\${at:+$at }$word"
      _herald_at $at
    elif [[ $word != -?* ]]; then
      rest=$more
    fi
  done
  word=\${words[CURRENT - 1]}
  if [[ $word == -[^-C]*C ]]; then word=-C; fi
  if (( CURRENT > 2 && \${valued[(Ie)$word]} )); then
    _herald_value "$at $word"
  elif [[ $PREFIX == --*=* ]]; then
    word=\${PREFIX%%=*}
    compset -P 1 '*='
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
  const { path, commands } = command;
  const options = optionsAt(root, command);
  const subs = commands.map(({ name, description }) => described(name, description));
  const opts = options.flatMap(({ names, description }) => names.map((name) => described(name, description)));
  return [
    `    (${singleQuoted(path)})`,
    commands.length > 0 ? `      subs=(${subs.join(' ')})` : `      ${argumentsOf(command)}`,
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

/** `name:description`, the form that _describe reads. */
function described(name: string, description: string): string {
  return singleQuoted(`${name.replaceAll(':', '\\:')}:${description.replaceAll(':', '\\:')}`);
}
