import { defineCommand } from '../cli/define-command.ts';
import { type Word } from '../cli/flags.ts';
import { harmless } from '../domain/visible.ts';
import { Argument } from 'commander';

/** Each asks `herald complete` for the words that may follow, and leaves paths to the shell. Of bash, 3.2 and later. */
const SCRIPTS = {
  bash: `_herald() {
  local word
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do COMPREPLY+=("$word"); done \\
    < <(herald complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _herald herald
`,
  zsh: `#compdef herald
_herald() {
  local -a lines=("\${(@f)$(herald complete -- "\${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
  local -a found=("\${(@)lines%%$'\\t'*}") shown=("\${(@)lines/$'\\t'/  }")
  if [[ -n $found ]]; then compadd -l -d shown -a found; else _files; fi
}
if [[ \${funcstack[1]} == _herald ]]; then _herald "$@"; else compdef _herald herald; fi
`,
  fish: `function __herald_complete
  set -l word (commandline -ct)
  herald complete -- (commandline -opc)[2..-1] "$word" 2>/dev/null
end
complete -c herald -a '(__herald_complete)'
`,
} as const;

const shell: Word<keyof typeof SCRIPTS> = new Argument('<SHELL>', 'the shell to complete in').choices(
  Object.keys(SCRIPTS),
);

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
  words: { shell },
  needs: 'nothing',
  run: (_context, { shell }) => ({ text: () => harmless(SCRIPTS[shell]) }),
});
