import type { AccountId, LiveId } from '../domain/ids.ts';
import type { Kind } from '../domain/resource.ts';

/** Any value of a YAML file. */
export type Plain = string | number | boolean | null | readonly Plain[] | Form;

/** A resource, or a part of one, for a file, with keys in the usual order. */
export interface Form {
  readonly [key: string]: Plain;
}

/** True for a mapping. */
export function isForm(value: unknown): value is Form {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: Plain | undefined): value is readonly Plain[] {
  return Array.isArray(value);
}

/** Keys and indexes from a resource to one of its values. */
export type FormPath = readonly (string | number)[];

/** A value that a person has to fill in, because the service does not return it. */
export interface Mark {
  readonly path: FormPath;
  /** The missing value, as a comment on one line. */
  readonly comment: string;
}

/** One live object with its form for a file. */
export interface Importable {
  readonly account: string;
  readonly accountId: AccountId;
  readonly kind: Kind;
  readonly name: string;
  readonly liveId: LiveId;
  readonly form: Form;
  readonly marks: readonly Mark[];
  /** True if a part belongs to one account, or may: media, fan lists, hidden days, tagged accounts. */
  readonly belongsToAccount: boolean;
}

/** A resource for a file, once for all accounts with the same content. */
export interface Folded {
  /** Sorted. */
  readonly accounts: readonly string[];
  readonly kind: Kind;
  readonly name: string;
  readonly form: Form;
  readonly marks: readonly Mark[];
}
