import type { Kind } from '../domain/resource.ts';

/** Anything that can stand in a YAML file. */
export type Plain = string | number | boolean | null | readonly Plain[] | Form;

/** A resource, or a part of one, as a file states it: keys in the order in which people read them. */
export interface Form {
  readonly [key: string]: Plain;
}

/** A mapping, and neither a list nor one value. */
export function isForm(value: unknown): value is Form {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A resource, or a part of one, as somebody typed it. */
export type Typed = Readonly<Record<string, unknown>>;

/** Keys and indexes from a resource down to one of its values. */
export type FormPath = readonly (string | number)[];

/** A place that a person has to look at, because the service does not show what belongs there. */
export interface Mark {
  readonly path: FormPath;
  /** What is missing, as a comment says it; one line. */
  readonly comment: string;
}

/** What can be written of a live object. */
interface Written {
  readonly form: Form;
  readonly marks: readonly Mark[];
  /** True when something in it belongs to one account, or may: media, fan lists, hidden days, tagged accounts. */
  readonly belongsToAccount: boolean;
}

/** One live object with what a file says of it. */
export interface Importable extends Written {
  readonly account: string;
  readonly accountId: string;
  readonly kind: Kind;
  readonly name: string;
  readonly liveId: string;
}
