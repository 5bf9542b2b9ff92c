import type { StateSettings } from '../../workspace/state.ts';

/** What the files of CI depend on. */
export interface CiSettings {
  /** The workspace's folder in the repository, with `/`. Empty for the root. */
  readonly folder: string;
  /** The branch that is applied. */
  readonly branch: string;
  /** The origin that `herald.yaml` names; null if it comes from a variable. */
  readonly origin: string | null;
  /** The variable with the address of the state database; null if the state is on a branch. */
  readonly database: string | null;
  /** Media are kept with Git LFS. */
  readonly hasLfs: boolean;
}

/** Where the files of a workspace keep the state, as far as CI has to know. */
export function databaseOf(state: StateSettings): string | null {
  return state.kind === 'postgres' ? state.variable : null;
}

/** The part of file names and job names that tells workspaces of one repository apart, such as `-ads-eu`. */
export function suffixOf(folder: string): string {
  const word = folder.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '');
  return word === '' ? '' : `-${word.toLowerCase()}`;
}

/** Branches and folders are written into YAML and shell commands, so only plain ones are accepted. */
export function isPlainName(name: string): boolean {
  return /^[A-Za-z0-9_][\w.-]*(?:\/[A-Za-z0-9_][\w.-]*)*$/.test(name);
}

/** Indents the lines of a block of text, but not its empty ones. */
export function indented(text: string, spaces: number): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(spaces));
}
