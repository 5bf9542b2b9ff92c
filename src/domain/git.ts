import type { ByteFiles, Files } from './ports.ts';

/** The workspace in a commit, to read. Links and submodules count as absent, so they lead nowhere. */
export interface CommitTree {
  readonly files: Files;
  readonly bytes: ByteFiles;
}

/** `irregular`: a link, a folder or a submodule has the path of the file, or of a folder above it. */
export type FileAt =
  { readonly kind: 'regular'; readonly text: string } | { readonly kind: 'absent' | 'irregular' };

/** The git repository that the workspace is in. Every method rejects with a `git-…` error. Its message never has the password of an address. */
export interface Repository {
  /** The folder of the workspace in the repository, with `/`. Empty at its top. */
  readonly folder: string;
  /** The full id of a commit that is here; null if it is not. Takes an id, a branch or `HEAD`. */
  commitOf(revision: string): Promise<string | null>;
  /** The ids of its parents, which may not be here. Two or more for a merge. */
  parentsOf(commit: string): Promise<readonly string[]>;
  /** Fetches a commit by its id. Does nothing if it is here. */
  fetchCommit(commit: string): Promise<void>;
  /** The tip of a branch of the remote, which is asked and fetched. Null takes the one that is checked out, or the remote's default. */
  remoteTip(branch: string | null): Promise<{ readonly branch: string; readonly commit: string }>;
  /** The last commit that two have in common, null if there is none. Fetches what a shallow clone misses. */
  mergeBase(left: string, right: string): Promise<string | null>;
  /** True if the newer commit has the older one in its history, or is it. Fetches what a shallow clone misses. */
  isAncestor(older: string, newer: string): Promise<boolean>;
  /**
   * What a branch got since an older commit, newest first: along the first parents, the commits that the older one does not
   * have in its history. At most `max`. Fetches what a shallow clone misses.
   */
  commitsSince(older: string, newer: string, max: number): Promise<readonly string[]>;
  treeOf(commit: string): Promise<CommitTree>;
  /** A file in the folder of the workspace as a commit has it. A link or a submodule is not absent here. */
  fileAt(commit: string, path: string): Promise<FileAt>;
}
