/** The possible values of an option or argument. */
export type Values =
  | { readonly kind: 'free' }
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'files' }
  | { readonly kind: 'directories' }
  /** Aliases and groups of the workspace, read on demand. */
  | { readonly kind: 'accounts' };

export interface OptionNode {
  /** `-q`, `--quiet`: one or both. */
  readonly names: readonly string[];
  readonly description: string;
  /** Null if it takes no value. */
  readonly values: Values | null;
}

/** One command as a shell sees it. */
export interface CommandNode {
  /** The words after `herald`, as `campaigns pause`; empty for `herald` itself. */
  readonly path: string;
  readonly name: string;
  readonly description: string;
  readonly options: readonly OptionNode[];
  /** Values of its first argument. Later ones may be anything. */
  readonly argument: Values;
  /** True if that argument may be repeated. */
  readonly repeated: boolean;
  readonly commands: readonly CommandNode[];
}

/** The commands of a tree, each before those below it. */
export function allCommands(root: CommandNode): readonly CommandNode[] {
  return [root, ...root.commands.flatMap(allCommands)];
}
