import { globOf, readLiteral } from '../domain/glob.ts';
import { formatAddress, type Address, type AddressParts, type Kind } from '../domain/resource.ts';
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

export function selectAddresses({ target, exclude }: Targeting): Selection {
  const [wanted, unwanted] = [parsePatterns(target), parsePatterns(exclude)];
  const isAll = target.length === 0;
  return {
    excludes: unwanted.fits,
    isEverything: isAll && exclude.length === 0,
    selects: (place) => (isAll || wanted.fits(place)) && !unwanted.fits(place),
    reaches: (account, kind) =>
      (isAll || wanted.fitsList(account, kind)) && !unwanted.fitsWholeList(account, kind),
  };
}

interface Patterns {
  readonly fits: (place: AddressParts) => boolean;
  /** Whether one of them may fit a name of this list. */
  readonly fitsList: (account: string, kind: Kind) => boolean;
  readonly fitsWholeList: (account: string, kind: Kind) => boolean;
}

/**
 * Each is `account/kind/name`: a part that is left out at the end is `*`, and names may hold `/`. Patterns of one address are
 * looked up, because a branch may change thousands.
 */
export function parsePatterns(texts: readonly string[]): Patterns {
  const parsed = texts.map((text) => {
    const [account = '', kind = '*', ...name] = text.split('/');
    const nameText = name.length === 0 ? '*' : name.join('/');
    const [fitsAccount, fitsKind] = [globOf(account), globOf(kind)];
    return {
      fitsList: (alias: string, oneKind: string) => fitsAccount(alias) && fitsKind(oneKind),
      fitsName: globOf(nameText),
      anyName: /^\*+$/.test(nameText),
      literal: readLiteral([account, kind, nameText].join('/')),
    };
  });
  const wide = parsed.filter(({ literal }) => literal === null);
  const exact = new Set(parsed.flatMap(({ literal }) => literal ?? []));
  const lists = new Set([...exact].map((literal) => literal.split('/', 2).join('/')));
  return {
    fits: (place) =>
      exact.has(formatAddress(place).normalize('NFC')) ||
      wide.some(({ fitsList, fitsName }) => fitsList(place.account, place.kind) && fitsName(place.name)),
    fitsList: (account, kind) =>
      lists.has(`${account}/${kind}`.normalize('NFC')) ||
      wide.some(({ fitsList }) => fitsList(account, kind)),
    fitsWholeList: (account, kind) => wide.some((one) => one.anyName && one.fitsList(account, kind)),
  };
}
