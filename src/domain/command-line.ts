import { visible } from './visible.ts';

/**
 * The commands that Herald tells people to run. Each is made here, so that it can be pasted as it is: every word is quoted for
 * the shell, and the options that chose the workspace and the key are repeated.
 */

/** Each directory that this process was started with, by `-C`. */
let workspaceSteps: readonly string[] = [];

/** `--api-key-file FILE`: with another key, a command may see other accounts. */
let keyFlags: readonly string[] = [];

/** Remembers these options of a run, from before its first message to its end: a process may have several runs. */
export function chooseWorkspace(directories: readonly string[], apiKeyFile?: string): void {
  workspaceSteps = directories;
  keyFlags = apiKeyFile === undefined ? [] : ['--api-key-file', apiKeyFile];
}

/**
 * A `herald` command for a person to run. Each word is one argument: `formatCommand('campaigns', 'pause', id)`. What a
 * person has to replace is in upper case, or `…`. Never the value of a constant, because the next run may have another `-C`.
 */
export function formatCommand(...words: readonly string[]): string {
  const directories = workspaceSteps.flatMap((directory) => ['-C', directory]);
  return ['herald', ...[...directories, ...keyFlags, ...words].map(inShell)].join(' ');
}

/** A path of the workspace as it is called where the command was run. For people: JSON has the one of the workspace. */
export function formatPath(path: string): string {
  const parts = [...workspaceSteps.map((one) => one.replace(/\/+$/, '')), path];
  const isAbsolute = (part: string) => /^(?:\/|[a-z]:)/i.test(part);
  return parts.slice(Math.max(0, parts.findLastIndex(isAbsolute))).join('/');
}

/** The command of another program for a person to run, which goes into the folder of the workspace first. */
export function formatThere(...words: readonly string[]): string {
  const command = words.map(inShell).join(' ');
  const steps = workspaceSteps.map((directory) => `cd ${inShell(fileArgument(directory))} && `);
  return steps.length === 0 ? command : `(${steps.join('')}${command})`;
}

/** A path as an argument of a command. One that begins with `-` would be an option. */
export function fileArgument(path: string): string {
  return path.startsWith('-') ? `./${path}` : path;
}

/**
 * Quotes one word of a command, so that it can be copied. A word with characters that `visible` escapes is quoted as bash and
 * zsh read it; other shells pass on the escapes, or refuse them.
 */
export function inShell(word: string): string {
  if (/^[\w./@:+-]+$/.test(word)) return word;
  // In quotes, fish escapes a quote and a backslash with a backslash.
  if (visible(word) === word)
    return `'${word.replace(/\\*'|\\{2,}|\\$/g, (run) => `'${run.replace(/./g, '\\$&')}'`)}'`;
  const escaped = visible(word.replaceAll('\\', '\\\\'));
  // Not `\'`, which ends the quotes in shells that do not know this form.
  return `$'${escaped.replace(/\\\\|'|\\u\{(\w+)\}/g, (match, code?: string) =>
    code === undefined ? match.replace("'", '\\047') : escapeBytes(Number.parseInt(code, 16)),
  )}'`;
}

/** The bytes of a character as escapes that do not depend on the locale. */
function escapeBytes(code: number): string {
  const bytes = [...Buffer.from(String.fromCodePoint(code))];
  return bytes.map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
