import { actsOf, type Act } from './acts.ts';
import type { IntentLine, LedgerLine } from './lines.ts';
import { EVERYBODY, ownView } from './origins.ts';
import { reduceLedger, sameChange } from './reduce.ts';
import type { View } from './views.ts';

/** Lines of one entry, wherever they stand. */
export type EntryLine = Extract<LedgerLine, { readonly entry: string }>;

export function isEntryLine(line: LedgerLine): line is EntryLine {
  return 'entry' in line;
}

/**
 * The entries of which a later run needs every line, whatever their age: those that nobody knows the end of, and the
 * acts by which the next one is judged. What one service still needs stays, whichever the workspace works with now.
 *
 * | entry                                    | why it is needed                                            |
 * |------------------------------------------|-------------------------------------------------------------|
 * | a change whose end is not on record      | it is settled from live state                               |
 * | the same change of the same object, once | it is what tells that an unheard one before it is over      |
 * | an act without an end, not acknowledged  | it blocks, or its window is waited out                      |
 * | an export into the vault                 | the same bytes are never uploaded twice                     |
 * | a payout, while any payout is open       | its invoice is not taken for the one that is looked for     |
 */
export function neededEntries(views: readonly View[]): ReadonlySet<string> {
  const open = views.flatMap(({ lines }) => reduceLedger(lines).open.map(({ entry }) => entry));
  const [home = [], ...away] = views.map(({ lines }) => actsOf(lines));
  const openAtHome = home.filter(isOpenPayout).map(({ entry }) => entry);
  const isOpenAway = away.some((acts) => acts.some(isOpenPayout));
  return new Set([
    ...open,
    ...neededActs(home, isOpenAway || openAtHome.length > 0),
    ...away.flatMap((acts) => {
      // One for everybody that the simulator's lines do not name is open there as well.
      const named = new Set(acts.map(({ entry }) => entry));
      return neededActs(acts, acts.some(isOpenPayout) || openAtHome.some((entry) => !named.has(entry)));
    }),
  ]);
}

const PAYOUT = 'payouts.request';
const EXPORT = 'vault.upload-export';

/** Outcomes after which the bytes are, or may be, in the vault. */
const EXPORTED: readonly Act['outcome'][] = ['done', 'adopted', 'unknown'];

function neededActs(acts: readonly Act[], payoutOpen: boolean): readonly string[] {
  return acts
    .filter((act) => {
      if (isOpenAct(act)) return true;
      if (act.operation === EXPORT) return act.liveId !== null || EXPORTED.includes(act.outcome);
      return act.operation === PAYOUT && payoutOpen;
    })
    .map(({ entry }) => entry);
}

function isOpenPayout(act: Act): boolean {
  return act.operation === PAYOUT && isOpenAct(act);
}

/** Its end is on no record, and nobody has looked at it since. */
export function isOpenAct({ outcome, acknowledged }: Act): boolean {
  return outcome === 'unknown' && !acknowledged;
}

/** In which views a change of one object has no end of its own: in some simulators', or in all but some. */
interface Endless {
  readonly inSimulators: Set<string>;
  /** Null where none of those changes is one for everybody. */
  inAllBut: ReadonlySet<string> | null;
}

/**
 * Entries without an end of their own are over where a later change of the same object was heard: with those that
 * stay in the ledger stays whatever may have ended them, for whomever it counts.
 */
export function withTheirClosers(
  kept: ReadonlySet<string>,
  lines: readonly LedgerLine[],
): ReadonlySet<string> {
  const ends = new Map<string, Set<string>>();
  for (const line of lines)
    if (line.type === 'outcome' && line.outcome !== 'unknown')
      ends.set(line.entry, (ends.get(line.entry) ?? new Set()).add(ownView(line)));
  const changes = lines.filter((line) => line.type === 'intent').filter(({ call }) => call !== 'create');
  const endless = new Map<string, Endless>();
  for (const change of changes)
    if (kept.has(change.entry)) noteEndless(endless, change, ends.get(change.entry) ?? new Set());
  const closers = changes.filter((change) => {
    const { inSimulators = NOWHERE, inAllBut = null } = endless.get(sameChange(change)) ?? {};
    const view = ownView(change);
    if (view === EVERYBODY) return inAllBut !== null || inSimulators.size > 0;
    return inSimulators.has(view) || inAllBut?.has(view) === false;
  });
  return new Set([...kept, ...closers.map(({ entry }) => entry)]);
}

const NOWHERE: ReadonlySet<string> = new Set();

function noteEndless(endless: Map<string, Endless>, change: IntentLine, ends: ReadonlySet<string>): void {
  const view = ownView(change);
  if (ends.has(EVERYBODY) || ends.has(view)) return;
  const known = endless.get(sameChange(change)) ?? { inSimulators: new Set(), inAllBut: null };
  if (view !== EVERYBODY) known.inSimulators.add(view);
  else known.inAllBut = new Set([...ends].filter((name) => known.inAllBut?.has(name) !== false));
  endless.set(sameChange(change), known);
}
