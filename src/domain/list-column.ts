/** How the values of a column are written in a table; `whole` is text of which no part says anything. */
export type CellKind = 'text' | 'whole' | 'number' | 'money' | 'instant' | 'flag' | 'audience';

/** One column of a list. */
export interface ListColumn {
  /** Where the value stands in an item, with dots between members: its name for `--columns` and `--sort`. */
  readonly path: string;
  /** Its heading in tables, with the unit where one is known; the path when it is missing. */
  readonly header?: string;
  /** Text when it is missing. */
  readonly as?: CellKind;
  /** What null stands for; `n/a` when it is missing. */
  readonly none?: string;
  /** What 0 stands for, where it is no figure. */
  readonly zero?: string;
  /** Says nothing about an item whose content the service could not read: its zero is none. */
  readonly figure?: true;
}
