import { allCommands, type CommandNode, type OptionNode, type Values } from './nodes.ts';

// What the scripts of bash and zsh have in common.

/** The words that a value may be; `@files` and the like stand for what the script looks up. */
function wordsOf(values: Values): string {
  if (values.kind === 'words') return values.words.join(' ');
  return values.kind === 'free' ? '' : `@${values.kind}`;
}

/** Sets what the first argument of a command may be, and what those after it. */
export function argumentsOf({ argument, repeated }: CommandNode): string {
  const words = singleQuoted(wordsOf(argument));
  return repeated ? `rest=${words} more=${words}` : `rest=${words}`;
}

/** The names of some options, each once. */
export function namesOf(options: readonly OptionNode[]): string {
  return [...new Set(options.flatMap(({ names }) => names))].join(' ');
}

/** What may be given to a command: its own options, and those of herald itself behind every command. */
export function optionsAt(root: CommandNode, { path, options }: CommandNode): readonly OptionNode[] {
  if (path === '') return options;
  const own = new Set(options.flatMap(({ names }) => names));
  return [...options, ...root.options.filter(({ names }) => !names.some((name) => own.has(name)))];
}

/** The options that take a value. */
export function valued(options: readonly OptionNode[]): readonly OptionNode[] {
  return options.filter(({ values }) => values !== null);
}

/** Patterns of `command option` for each set of words that a value may be. */
export function valuePatterns(root: CommandNode): ReadonlyMap<string, readonly string[]> {
  const patterns = new Map<string, string[]>();
  for (const { path, options } of allCommands(root)) {
    for (const { names, values } of options) {
      const words = values === null ? '' : wordsOf(values);
      if (words === '') continue;
      const found = names.map((name) =>
        path === '' ? `*${singleQuoted(` ${name}`)}` : singleQuoted(`${path} ${name}`),
      );
      patterns.set(words, [...(patterns.get(words) ?? []), ...found]);
    }
  }
  return patterns;
}

/** As both shells read it: nothing inside is obeyed. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
