import type { YAMLMap } from 'yaml';
import type { AccountId, LiveId } from '../domain/ids.ts';
import type { Kind, SourcePlace } from '../domain/resource.ts';

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

/** The mappings of a list. None of another value. */
export function formsIn(value: Plain | undefined): readonly Form[] {
  return Array.isArray(value) ? value.filter(isForm) : [];
}

/** A live object with its name in the files. */
export interface LiveObject {
  readonly account: string;
  readonly accountId: AccountId;
  readonly kind: Kind;
  readonly name: string;
  readonly liveId: LiveId;
}

/** A live object with its form for a file. */
export interface Importable extends LiveObject {
  readonly form: Form;
}

/** The update of one declared resource. */
export interface Update {
  readonly place: SourcePlace;
  /** The whole resource as it is to be written. */
  readonly node: YAMLMap;
  /** One for each of its accounts, with the paths that differed. */
  readonly objects: readonly (LiveObject & { readonly fields: readonly string[] })[];
  /** True if its audience is not the one that Herald sent. */
  readonly isAudienceNew: boolean;
}
