import { defineCommand } from '../cli/define-command.ts';
import { optionalChoiceWord } from '../cli/flags.ts';
import { formatCommand } from '../domain/command-line.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { harmless } from '../domain/visible.ts';

/**
 * Each asks `herald complete` for the words that may follow. No shell evaluates an answer: it may be a name from a file
 * of the workspace. Of bash, 3.2 and later.
 */
const SCRIPTS = {
  bash: `_herald() {
  local word home open="\${COMP_WORDS[COMP_CWORD]:0:1}"
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    if [[ $open == [\\"\\'] ]]; then
      if [[ $word != *[\\"\\'\\\\\\$\\\`!]* ]]; then COMPREPLY+=("$word"); fi
    else
      if [[ $word == '~/'?* ]]; then home='~/' word="\${word:2}"; else home=''; fi
      COMPREPLY+=("$home$(printf %q "$word")")
    fi
  done < <(herald complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == */ ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -F _herald herald
`,
  zsh: `#compdef herald
_herald() {
  local line word
  for line in "\${(@f)$(herald complete -- "\${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}"; do
    word="\${line%%$'\\t'*}"
    if [[ $word == '' ]]; then continue; fi
    local -a how=(-d shown) shown=("$word  \${line#*$'\\t'}")
    if [[ $word == */ ]]; then how+=(-S ''); fi
    if [[ $word == '~/'* ]]; then how+=(-Q) word="~/\${(q)word#'~/'}"; fi
    compadd "\${how[@]}" -- "$word"
  done
}
if [[ \${funcstack[1]} == _herald ]]; then _herald "$@"; else compdef _herald herald; fi
`,
  fish: `function __herald_complete
  set -l word (commandline -ct)
  herald complete -- (commandline -opc)[2..-1] "$word" 2>/dev/null
end
complete -c herald -f -a '(__herald_complete)'
`,
} as const;

/** Prints a script that makes a shell complete command lines of Herald. */
export const completion = defineCommand({
  path: 'completion',
  about: 'print a script that completes commands, options and account names',
  examples: [
    'source <(herald completion bash)',
    'source <(herald completion zsh)',
    'herald completion fish | source',
  ],
  more: 'To load it in each new shell, put the line in ~/.bashrc, or in ~/.zshrc after compinit. For fish:\nherald completion fish > ~/.config/fish/completions/herald.fish',
  formats: ['text'],
  words: { shell: optionalChoiceWord('SHELL', 'the shell to complete in', ['bash', 'zsh', 'fish']) },
  needs: 'nothing',
  run: (_context, { shell }) => {
    if (shell === undefined)
      throw new HeraldError(
        'bad-flag',
        'No shell given.',
        `Use bash, zsh or fish, such as: ${formatCommand('completion', 'bash')}`,
      );
    return { text: () => harmless(SCRIPTS[shell]) };
  },
});
