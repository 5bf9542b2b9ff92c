import type { Allowance } from '../domain/change-kinds.ts';
import type { Change } from '../domain/change.ts';
import { Glob } from '../domain/glob.ts';
import {
  formatAddress,
  type Address,
  type AddressParts,
  type Declared,
  type Kind,
  type Observed,
  type PlaceOf,
  type ResolvedAccount,
} from '../domain/resource.ts';
import type { ServiceIdentity } from '../domain/service-identity.ts';
import type { Policy } from '../domain/workspace.ts';
import type { Known, ObjectRow, OpenRequest, Past } from '../state/shapes.ts';

/** What limits the changes of a plan, and never says what to do. What is absent or null limits nothing. */
export interface Permissions {
  /** What was reviewed. */
  readonly review?: { readonly changes: readonly Change[] } | null;
  /** Says why a change may not be carried out without another approval; null if it may. `covers`: an agreed change is enough. */
  readonly approvals?: ((change: Change, covers: (agreed: Change) => boolean) => string | null) | null;
  /** Says why a newer commit has overtaken what is declared for an address; null if none has. */
  readonly outdated?: ((address: Address) => string | null) | null;
}

/** What a run is about: patterns over addresses, as `--target` and `--exclude` give them. */
export interface Targeting {
  /** Empty for everything. */
  readonly target: readonly string[];
  readonly exclude: readonly string[];
  /** Set if the patterns are what `--scope changed` found: the commit that the files were compared with. */
  readonly changedSince?: string;
}

export const EVERYTHING: Targeting = { target: [], exclude: [] };

/** Everything a plan depends on. It reads no clock and sends nothing: equal facts, equal plan. */
export interface PlanFacts extends Permissions {
  readonly service: ServiceIdentity;
  readonly declared: readonly Declared[];
  /** All accounts of the workspace, also those that this run does not read. */
  readonly accounts: readonly ResolvedAccount[];
  /** Complete lists of every account and kind that the plan is about. */
  readonly observed: readonly Observed[];
  /** What the key does not see: an account by its alias, or one list of it as `alias/kind`. With the reason. */
  readonly unseen?: ReadonlyMap<string, string>;
  readonly known: Known;
  /** On record as running, on accounts that the workspace no longer names. */
  readonly left?: readonly ObjectRow[];
  /** Unconfirmed requests, and those with a copy without an answer that may still take effect. */
  readonly open: readonly OpenRequest[];
  /** Facts from ended requests. Without them, Herald asks a person more often. */
  readonly past?: Past;
  /** The service's time by the two clocks, in epoch milliseconds. They are equal if the clocks agree. */
  readonly time: { readonly earliestMs: number; readonly latestMs: number };
  readonly settleMs: number;
  readonly allow: ReadonlySet<Allowance>;
  readonly policy: Policy;
  /** What `--allow prune` may retire where the state does not know it; null when not declared. */
  readonly ownershipPrefix: string | null;
  /** Patterns of `files:` that match nothing: what they declared looks removed. */
  readonly unmatched: readonly string[];
  readonly placeOf: PlaceOf;
  /** The most requests per second over everything, and by endpoint (`campaigns.create`). */
  readonly rates: { readonly token: number; readonly endpoint: Readonly<Record<string, number>> };
  readonly targeting: Targeting;
}

/** The key of an object, or of a name, where the account has an alias. */
export function keyByAlias(
  { account, kind }: Pick<Address, 'account' | 'kind'>,
  idOrName: string | null,
): string {
  return `${account}/${kind}/${idOrName ?? ''}`;
}

/** What the patterns of a run mean for addresses and for whole lists. */
export function selectAddresses({ target, exclude }: Targeting) {
  const [wanted, unwanted] = [parsePatterns(target), parsePatterns(exclude)];
  const isAll = target.length === 0;
  return {
    isEverything: isAll && exclude.length === 0,
    excludes: unwanted.fits,
    selects: (place: AddressParts) => (isAll || wanted.fits(place)) && !unwanted.fits(place),
    /** Whether anything of an account's list could be: other lists are not even read. */
    reaches: (account: string, kind: Kind) =>
      (isAll || wanted.fitsList(account, kind)) && !unwanted.fitsWholeList(account, kind),
  };
}

/**
 * Each is `account/kind/name`: a part that is left out at the end is `*`, and names may hold `/`. Patterns of one address are
 * looked up, because a branch may change thousands.
 */
export function parsePatterns(texts: readonly string[]) {
  const parsed = texts.map((text) => {
    const [account = '', kind = '*', ...name] = text.split('/');
    const nameText = name.length === 0 ? '*' : name.join('/');
    const [accountGlob, kindGlob, nameGlob] = [new Glob(account), new Glob(kind), new Glob(nameText)];
    return {
      fitsList: (alias: string, oneKind: string) => accountGlob.matches(alias) && kindGlob.matches(oneKind),
      fitsName: (oneName: string) => nameGlob.matches(oneName),
      anyName: /^\*+$/.test(nameText),
      literal: new Glob([account, kind, nameText].join('/')).literal,
    };
  });
  const wide = parsed.filter(({ literal }) => literal === null);
  const exact = new Set(parsed.flatMap(({ literal }) => literal ?? []));
  const lists = new Set([...exact].map((literal) => literal.split('/', 2).join('/')));
  return {
    fits: (place: AddressParts) =>
      exact.has(formatAddress(place).normalize('NFC')) ||
      wide.some(({ fitsList, fitsName }) => fitsList(place.account, place.kind) && fitsName(place.name)),
    /** Whether one of them may fit a name of this list. */
    fitsList: (account: string, kind: Kind) =>
      lists.has(`${account}/${kind}`.normalize('NFC')) ||
      wide.some(({ fitsList }) => fitsList(account, kind)),
    fitsWholeList: (account: string, kind: Kind) =>
      wide.some((one) => one.anyName && one.fitsList(account, kind)),
  };
}

/** Finds what the state knows of a live object; null for nothing. */
export function indexRows(
  objects: readonly ObjectRow[],
): (object: Pick<Observed, 'accountId' | 'kind' | 'live'>) => ObjectRow | null {
  const rows = new Map(objects.map((row) => [`${row.account_id}/${row.kind}/${row.live_id}`, row]));
  return ({ accountId, kind, live }) => rows.get(`${accountId}/${kind}/${live.id}`) ?? null;
}

/** The name that the state has of an object, after a rename or because the service rewrote it; otherwise its live one. */
export function readName({ live }: Pick<Observed, 'live'>, row: ObjectRow | null): string {
  return row?.name || (live.name ?? '');
}

/** Finds what a change is about: its resource in the files, its live object, and what the state knows of that. */
export function indexSubjects(facts: Pick<PlanFacts, 'declared' | 'observed' | 'known'>) {
  const resources = new Map(facts.declared.map((one) => [formatAddress(one.address), one]));
  const objects = new Map(facts.observed.map((one) => [keyByAlias(one, one.live.id), one]));
  const rowOf = indexRows(facts.known.objects);
  return ({ address, live_id: id }: Pick<Change, 'address' | 'live_id'>) => {
    const object = objects.get(keyByAlias(address, id));
    const row = object === undefined ? null : rowOf(object);
    return { declared: resources.get(formatAddress(address)), object, row };
  };
}
