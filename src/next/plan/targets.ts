import { formatCommand } from '../../domain/command-line.ts';
import type { Diagnostic } from '../../domain/diagnostic.ts';
import { globOf, literalOf, type Glob } from '../../domain/glob.ts';
import {
  formatAddress,
  type Address,
  type AddressParts,
  type Declared,
  type Kind,
} from '../../domain/resource.ts';
import type { Targeting } from './facts.ts';

/** Tells what patterns mean for addresses and for whole lists. */
export interface Selection {
  readonly isEverything: boolean;
  /** Whether the address is part of the run. */
  readonly selects: (place: AddressParts) => boolean;
  /** Whether an exclusion names it. */
  readonly excludes: (address: Address) => boolean;
  /** Whether anything of an account's list could be: other lists are not even read. */
  readonly reaches: (account: string, kind: Kind) => boolean;
}

/** One pattern, `account/kind/name`: a part that is left out at the end is `*`, and names may hold `/`. */
export interface AddressPattern {
  readonly text: string;
  readonly account: Glob;
  readonly kind: Glob;
  readonly name: Glob;
  /** Whether it takes every name. */
  readonly anyName: boolean;
  /** The one address that it fits, in the normal form NFC; null if it has wildcards or lacks a part. */
  readonly literal: string | null;
}

export function selectionOf({ target, exclude }: Targeting): Selection {
  const [wanted, unwanted] = [target.map(patternOf), exclude.map(patternOf)];
  const excludes = (place: AddressParts) => unwanted.some((pattern) => fits(pattern, place));
  const includes = oneOf(wanted);
  return {
    excludes,
    isEverything: wanted.length === 0 && unwanted.length === 0,
    selects: (place) => (wanted.length === 0 || includes.place(place)) && !excludes(place),
    reaches: (account, kind) => {
      const fitsList = (pattern: AddressPattern) => pattern.account(account) && pattern.kind(kind);
      return (
        (wanted.length === 0 || includes.list(account, kind)) &&
        !unwanted.some((pattern) => pattern.anyName && fitsList(pattern))
      );
    },
  };
}

/** Whether one of the patterns fits. Those of one address are looked up: a branch may change thousands. */
function oneOf(patterns: readonly AddressPattern[]): {
  readonly place: (place: AddressParts) => boolean;
  readonly list: (account: string, kind: Kind) => boolean;
} {
  const wide = patterns.filter(({ literal }) => literal === null);
  const exact = new Set(patterns.flatMap(({ literal }) => literal ?? []));
  const lists = new Set([...exact].map((literal) => literal.split('/', 2).join('/')));
  return {
    place: (place) =>
      exact.has(formatAddress(place).normalize('NFC')) || wide.some((pattern) => fits(pattern, place)),
    list: (account, kind) =>
      lists.has(`${account}/${kind}`.normalize('NFC')) ||
      wide.some((pattern) => pattern.account(account) && pattern.kind(kind)),
  };
}

/** Splits at the first two slashes: what follows is all name. */
export function patternOf(text: string): AddressPattern {
  const [account = '', kind = '*', ...name] = text.split('/');
  const nameText = name.length === 0 ? '*' : name.join('/');
  return {
    text,
    account: globOf(account),
    kind: globOf(kind),
    name: globOf(nameText),
    anyName: /^\*+$/.test(nameText),
    literal: literalOf([account, kind, nameText].join('/')),
  };
}

export function fits(pattern: AddressPattern, { account, kind, name }: AddressParts): boolean {
  return pattern.account(account) && pattern.kind(kind) && pattern.name(name);
}

/**
 * Whether an address on record belongs to the run: as one that it is about, or as the former name of one.
 * What earlier runs left open elsewhere stays open.
 */
export function coverage(selection: Selection, declared: readonly Declared[]): (address: Address) => boolean {
  if (selection.isEverything) return () => true;
  const former = new Set(
    declared
      .filter(({ address, renamedFrom }) => renamedFrom !== null && selection.selects(address))
      .map(({ address, renamedFrom }) => formatAddress({ ...address, name: renamedFrom ?? '' })),
  );
  return (address) => selection.selects(address) || former.has(formatAddress(address));
}

/** A note about what the run ignores, so that no one takes an empty plan for the whole workspace. */
export function leftOutNotes(
  { target, exclude, changedSince }: Targeting,
  declared: readonly Declared[],
): readonly Diagnostic[] {
  const { isEverything, selects } = selectionOf({ target, exclude });
  if (isEverything) return [];
  const left = declared.filter(({ address }) => !selects(address)).length;
  const by = [...(target.length > 0 ? ['--target'] : []), ...(exclude.length > 0 ? ['--exclude'] : [])];
  const what = left === 1 ? '1 resource is' : `${left === 0 ? 'no' : left} resources are`;
  if (changedSince !== undefined) {
    const unchanged = left === 1 ? '1 resource is' : `${left} resources are`;
    return [
      {
        severity: 'info',
        code: 'left-out',
        message: `${unchanged} declared as in ${changedSince}. Herald neither compares nor changes them. To see how they are live: ${formatCommand('drift')}`,
      },
    ];
  }
  const message = `${what} left out by ${by.join(' and ')}. Herald neither compares nor changes them.`;
  return [{ severity: 'info', code: 'left-out', message }];
}
