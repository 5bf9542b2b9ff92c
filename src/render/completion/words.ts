import { allCommands, type CommandNode, type OptionNode, type Values } from './nodes.ts';

// Shared by the scripts of bash and zsh.

/** The possible values as words. `@files` and the like are looked up by the script. */
function wordsOf(values: Values): string {
  if (values.kind === 'words') return values.words.join(' ');
  return values.kind === 'free' ? '' : `@${values.kind}`;
}

/** Shell code that sets the values of the first argument and of later ones. */
export function argumentsOf({ argument, repeated }: CommandNode): string {
  const words = singleQuoted(wordsOf(argument));
  return repeated ? `rest=${words} more=${words}` : `rest=${words}`;
}

/** Distinct names of options. */
export function namesOf(options: readonly OptionNode[]): string {
  return [...new Set(options.flatMap(({ names }) => names))].join(' ');
}

/** Options of a command: its own and the global ones. */
export function optionsAt(root: CommandNode, { path, options }: CommandNode): readonly OptionNode[] {
  if (path === '') return options;
  const own = new Set(options.flatMap(({ names }) => names));
  return [...options, ...root.options.filter(({ names }) => !names.some((name) => own.has(name)))];
}

/** The options that take a value. */
export function valued(options: readonly OptionNode[]): readonly OptionNode[] {
  return options.filter(({ values }) => values !== null);
}

/** Patterns of `command option`, by their set of values. */
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

/** Quotes text so that neither shell expands it. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
