/**
 * The commands that Herald tells people to run. Each is made here, so that it can be pasted as it is: every word is quoted for
 * the shell, and the options that chose the workspace are repeated.
 */

/** `-C DIR` for each directory that this process was started with. */
let workspaceOptions: readonly string[] = [];

/** Remembers the `-C` options of this process. Called once, before the first message. */
export function chooseWorkspace(directories: readonly string[]): void {
  workspaceOptions = directories.flatMap((directory) => ['-C', directory]);
}

/** A `herald` command for a person to run. Each word is one argument: `formatCommand('campaigns', 'pause', id)`. */
export function formatCommand(...words: readonly string[]): string {
  return ['herald', ...[...workspaceOptions, ...words].map(inShell)].join(' ');
}

/** Quotes one word of a command, so that it can be copied. */
export function inShell(word: string): string {
  return /^[\w./@:+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
