import { compareText } from '../domain/diagnostic.ts';
import { canonical } from '../domain/digest.ts';
import { type Kind, KINDS_IN_FILES } from '../domain/resource.ts';
import type { Form, Importable, Mark } from './form.ts';

/** A resource for a file, once for all accounts with the same content. */
export interface Folded {
  /** Sorted. */
  readonly accounts: readonly string[];
  readonly kind: Kind;
  readonly name: string;
  readonly form: Form;
  readonly marks: readonly Mark[];
}

/** Combines equal resources of several accounts. Media, lists and tags belong to one account each. */
export function foldAlike(importables: readonly Importable[]): readonly Folded[] {
  const folded = new Map<string, Importable[]>();
  for (const one of importables) {
    const owner = one.belongsToAccount ? one.account : '';
    const key = canonical([one.kind, one.name, owner, one.form]);
    const alike = folded.get(key);
    if (alike === undefined) folded.set(key, [one]);
    else alike.push(one);
  }
  return [...folded.values()]
    .flatMap((alike) => {
      const [first] = alike;
      if (first === undefined) return [];
      const { kind, name, form, marks } = first;
      const accounts = alike.map(({ account }) => account).toSorted(compareText);
      return [{ accounts, kind, name, form, marks }];
    })
    .toSorted(compareFolded);
}

function compareFolded(left: Folded, right: Folded): number {
  return (
    KINDS_IN_FILES.indexOf(left.kind) - KINDS_IN_FILES.indexOf(right.kind) ||
    compareText(left.name, right.name) ||
    compareText(left.accounts.join(' '), right.accounts.join(' '))
  );
}
