import { compareIds } from '../domain/ids.ts';
import { contentDigest } from '../domain/media.ts';
import { isOwedToReplace, type Knowledge, type KnownObject } from '../domain/knowledge.ts';
import { knownLists, listKey } from '../domain/objects-on-record.ts';
import { KINDS, type Declared, type Observed, type ResolvedAccount } from '../domain/resource.ts';
import { isPaused } from '../domain/status.ts';
import { compare } from './compare/compare.ts';
import { groupBy } from '../domain/group-by.ts';
import { isTwin, mayStillSend, type Missing } from './guards/guards.ts';
import { hiddenTwinsIn, type HiddenTwin } from './guards/hidden.ts';
import { justNow, runsAsKnown, type HeardAtMs, type JustNow } from './just-now.ts';
import { indexByName, isOurs, knownOf, type LiveIndex } from './match.ts';
import type { Member } from './member.ts';
import { plainText } from '../domain/plain-text.ts';

/** One account and kind: its live objects, indexed once for all its resources. */
export interface Scope {
  readonly declared: readonly Declared[];
  /** Its live objects, lowest id first. */
  readonly live: readonly Observed[];
  readonly index: LiveIndex;
  /** Live objects that belong to no declared resource, lowest id first. */
  readonly unclaimed: readonly Observed[];
  /** What the ledger knows of the declared resource's names and the list does not show. */
  missingFor(declared: Declared): Missing;
  /** Of another name, with the declared content: Herald created it a short time ago, and the list does not show it yet. */
  hiddenTwinOf(declared: Declared): HiddenTwin | null;
  /** Herald has started it, and the list may not show that yet. */
  readonly isJustStarted: (object: Observed) => boolean;
  /**
   * An unclaimed object with the declared content, or made from it, that may still send: what a rename looks like. A
   * paused one only where asked for.
   */
  twinOf(declared: Declared, which: WhichTwins): Member | null;
}

/** Without a decision of a person, an apply resumes only what Herald itself has paused. */
type WhichTwins = 'running' | 'running or paused' | 'running or may be resumed';

export interface ScopeInput {
  readonly declared: readonly Declared[];
  readonly observed: readonly Observed[];
  readonly accounts: readonly ResolvedAccount[];
  readonly knowledge: Knowledge;
  readonly nowMs: number;
  readonly heardAtMs?: HeardAtMs;
}

/** One scope for each account and kind that something is declared for or live on. */
export function buildScopes(input: ScopeInput): readonly Scope[] {
  const observed = groupBy(input.observed, (object) => scopeKey(object.account, object.kind));
  const declared = groupBy(input.declared, (resource) => scopeKey(resource.address.account, resource.kind));
  const lists = knownListsOf(input);
  const now = justNow(input);
  const keys = new Set([...observed.keys(), ...declared.keys()]);
  return [...keys].map((key) => {
    // Lists come in any order; the tables go by id (CONTENT-1: the same keeper for everyone).
    const live = (observed.get(key) ?? []).toSorted((left, right) => compareIds(left.live.id, right.live.id));
    const known = lists.get(key) ?? NOTHING_KNOWN_OF_IT;
    return newScope(live, declared.get(key) ?? [], input.knowledge, { known, now });
  });
}

/** What the ledger knows of one list. */
interface KnownList {
  readonly size: number;
  named(name: string): readonly KnownObject[];
  /** Those that were made from this content. It goes through all that the ledger knows. */
  madeFrom(content: string): readonly KnownObject[];
}

const NOTHING_KNOWN_OF_IT: KnownList = { size: 0, named: () => [], madeFrom: () => [] };

/** By `scopeKey`. An account id that two aliases have counts for the last of them. */
function knownListsOf({ accounts, knowledge }: ScopeInput): ReadonlyMap<string, KnownList> {
  const aliasOf = new Map(accounts.map(({ accountId, alias }) => [accountId, alias]));
  const { sizes, named } = knownLists(knowledge.objects);
  let byContent: ReadonlyMap<string, readonly KnownObject[]> | null = null;
  const madeFrom = (list: string, content: string) => {
    byContent ??= groupBy(
      [...knowledge.objects.values()].filter((one) => one.contentDigest !== null),
      (one) => `${listKey(one.accountId, one.kind)} ${one.contentDigest ?? ''}`,
    );
    return byContent.get(`${list} ${content}`) ?? [];
  };
  return new Map(
    [...aliasOf].flatMap(([accountId, alias]) =>
      KINDS.map((kind) => [
        scopeKey(alias, kind),
        {
          size: sizes.get(listKey(accountId, kind)) ?? 0,
          named: (name) => named(accountId, kind, name),
          madeFrom: (content) => madeFrom(listKey(accountId, kind), content),
        },
      ]),
    ),
  );
}

/** A live object as a member of the declared resource's group. */
export function memberOf(declared: Declared, observed: Observed, knowledge: Knowledge): Member {
  const known = knownOf(observed, knowledge);
  const comparison = compare(declared, observed, known, knowledge.media);
  const ours = isOurs(observed, known, knowledge);
  return { id: observed.live.id, observed, known, comparison, ours, again: [] };
}

function newScope(
  live: readonly Observed[],
  declared: readonly Declared[],
  knowledge: Knowledge,
  { known, now }: { readonly known: KnownList; readonly now: JustNow },
): Scope {
  const index = indexByName(live, knowledge, declared);
  const claimed = new Set(declared.flatMap((resource) => index.groupOf(resource)));
  const unclaimed = live.filter((object) => !claimed.has(object));
  return {
    declared,
    live,
    index,
    unclaimed,
    isJustStarted: now.started,
    missingFor: missingIn(live, known),
    hiddenTwinOf: hiddenTwinsIn({ live, declared, knowledge, known, now }),
    twinOf: twinsIn(unclaimed, knowledge, now.started),
  };
}

/** The objects of a name are only looked up if something is to be started or stopped. */
function missingIn(live: readonly Observed[], known: KnownList): Scope['missingFor'] {
  const shown = new Set(live.map((object) => object.live.id));
  const all = live.length === 0 ? known.size : 0;
  const hidden = (name: string) => known.named(name).filter(({ id }) => !shown.has(id));
  return ({ address, renamedFrom }) => {
    const names = renamedFrom === null ? [address.name] : [address.name, renamedFrom];
    let found: readonly KnownObject[] | null = null;
    const missing = () => {
      found ??= names.flatMap(hidden).toSorted((left, right) => compareIds(left.id, right.id));
      return found;
    };
    return {
      all,
      get ids() {
        return missing().map(({ id }) => id);
      },
      get running() {
        return missing()
          .filter(runsAsKnown)
          .map(({ id }) => id);
      },
    };
  };
}

/** What may still send: a rename of it would send the same twice. */
function twinsIn(
  unclaimed: readonly Observed[],
  knowledge: Knowledge,
  isJustStarted: JustNow['started'],
): Scope['twinOf'] {
  const sameContent = sameContentIn(unclaimed, knowledge);
  return (declared, which) => {
    for (const member of sameContent(declared)) {
      const { observed } = member;
      if (isJustStarted(observed)) return member;
      if (mayStillSend(member) && (!isPaused(observed.live) || countsPaused(member, which))) return member;
    }
    return null;
  };
}

function countsPaused({ known }: Member, which: WhichTwins): boolean {
  if (which !== 'running or may be resumed') return which === 'running or paused';
  return known !== null && (known.pausedFor === 'declared' || isOwedToReplace(known));
}

/**
 * Those of the objects that have the declared content. Looked up by the first text, so that many creates with many
 * objects take linear time. Also by the content that Herald created them from, because someone may have edited them
 * since.
 */
export function sameContentIn(
  objects: readonly Observed[],
  knowledge: Knowledge,
): (declared: Declared) => Iterable<Member> {
  const byText = groupBy(objects, (object) => plainText(object.live.messages?.[0]?.text));
  const made = objects.filter((object) => knownOf(object, knowledge)?.contentDigest != null);
  const byContent = groupBy(made, (object) => knownOf(object, knowledge)?.contentDigest ?? '');
  return function* sameContent(declared) {
    const sayTheSame = byText.get(plainText(declared.content.messages[0]?.text)) ?? [];
    for (const object of sayTheSame) {
      const member = memberOf(declared, object, knowledge);
      if (isTwin(member)) yield member;
    }
    if (byContent.size === 0) return;
    const madeFromIt = byContent.get(contentDigest(declared.content)) ?? [];
    for (const object of madeFromIt) yield memberOf(declared, object, knowledge);
  };
}

function scopeKey(account: string, kind: string): string {
  return `${account}/${kind}`;
}
