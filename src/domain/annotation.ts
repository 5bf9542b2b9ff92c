import type { SourcePlace } from './resource.ts';

/** A finding that a CI shows on a line of a file. */
export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  /** What it is about, in a few words. */
  readonly title: string;
  readonly message: string;
  /** The path is relative to the workspace. Null if it belongs to no line. */
  readonly place: SourcePlace | null;
}
