import { Argument } from 'commander';
import { defineCommand } from '../cli/define-command.ts';
import type { Word } from '../cli/flags.ts';
import { harmless } from '../domain/visible.ts';
import bash from './completion/herald.bash?text';
import fish from './completion/herald.fish?text';
import zsh from './completion/herald.zsh?text';

/** Each asks `herald complete` for the words that may follow, and leaves paths to the shell. Of bash, 3.2 and later. */
const SCRIPTS = { bash, zsh, fish };

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
