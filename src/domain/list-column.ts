/** How a table shows the values of a column. `whole` is text that must not be cut. */
export type CellKind = 'text' | 'whole' | 'number' | 'money' | 'instant' | 'flag' | 'audience';

export interface ListColumn {
  /** Path of the value in an item, with dots between members. It is also the name for `--columns`. */
  readonly path: string;
  /** Its heading in tables, with the unit if known. Default: the path. */
  readonly header?: string;
  /** Default: text. */
  readonly as?: CellKind;
  /** Text for null. Default: `n/a`. */
  readonly none?: string;
  /** Text for 0, if 0 is not a number here. */
  readonly zero?: string;
  /** Set if a table shows it only on request, because it would be too wide. A csv file has it. */
  readonly wide?: true;
  /** Set if the value is from another list. It is looked up where it is shown: in tables, and by `--columns`. */
  readonly lookedUp?: true;
  /** Set for figures that have no meaning if the service could not read the item. */
  readonly figure?: true;
}
