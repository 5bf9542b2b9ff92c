/** What stands where a value is expected. */
export type Values =
  | { readonly kind: 'free' }
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'files' }
  | { readonly kind: 'directories' }
  /** Aliases and groups of the workspace, asked for when they are needed. */
  | { readonly kind: 'accounts' };

export interface OptionNode {
  /** `-q`, `--quiet`: one or both. */
  readonly names: readonly string[];
  readonly description: string;
  /** Null for one that takes no value. */
  readonly values: Values | null;
}

/** One command as a shell sees it. */
export interface CommandNode {
  /** The words after `herald`, as `campaigns pause`; empty for `herald` itself. */
  readonly path: string;
  readonly name: string;
  readonly description: string;
  readonly options: readonly OptionNode[];
  /** What its first argument may be; later ones are anything. */
  readonly argument: Values;
  /** Whether that argument may be given several times. */
  readonly repeated: boolean;
  readonly commands: readonly CommandNode[];
}

/** The commands of a tree, each before those below it. */
export function allCommands(root: CommandNode): readonly CommandNode[] {
  return [root, ...root.commands.flatMap(allCommands)];
}
