import { objectKey, type KnownObject } from '../../src/domain/knowledge.ts';
import { actsOf, type Act } from '../../src/ledger/acts.ts';
import type { CompactOptions } from '../../src/ledger/compact.ts';
import { saidAccount } from '../../src/ledger/account-ids.ts';
import { effectsOf, type Effect } from '../../src/ledger/effects.ts';
import { isEntryLine, isOpenAct } from '../../src/ledger/keep.ts';
import type { CompactedLine, IntentLine, KnownLine, LedgerLine } from '../../src/ledger/lines.ts';
import { ALL_SERVICES, inView, viewOfLine } from '../../src/ledger/origins.ts';
import { inOrderOf, inOrderOfTime, timeOf, writtenAtMs, type Written } from '../../src/ledger/order.ts';
import { parseLine } from '../../src/ledger/parse.ts';
import { readableLines } from '../../src/ledger/raw-lines.ts';
import { reduceLedger, sameChange } from '../../src/ledger/reduce.ts';
import { countsFrom } from '../../src/ledger/word-times.ts';
import { type CompactedText, rawLines } from './whole-ledgers.ts';

type RawLine = ReturnType<typeof rawLines>[number];

/** A compaction that reads the whole ledger again for each service: what a quick one has to come to. */
export function plainCompaction(text: string, options: CompactOptions): Omit<CompactedText, 'damaged'> {
  const all = rawLines(text);
  const once = withoutRepeats(all);
  const isSettled = settledIn(once, options.before);
  const moved = once.filter(isSettled);
  const repeated = all.length - once.length;
  const lines = moved.length === 0 ? once.map((raw) => raw.text) : compacted(once, isSettled, options);
  return {
    text: moved.length === 0 && repeated === 0 ? text : lines.map((line) => `${line}\n`).join(''),
    moved: moved.map((raw) => raw.text),
    repeated,
    linesBefore: all.length,
    linesAfter: lines.length,
  };
}

/** Everybody who may work with this ledger. */
export function viewsOf(lines: readonly LedgerLine[]): readonly string[] {
  const named = lines.flatMap(({ origin }) => (origin === undefined ? [] : [origin]));
  return [ALL_SERVICES, ...new Set(named.toSorted())];
}

function compacted(once: readonly RawLine[], isSettled: Choice, options: CompactOptions): readonly string[] {
  const goes: Choice = (raw) => isSettled(raw) || isLastWord(raw);
  const remains = remainsOf(once, goes, options);
  const body = once.flatMap((raw) => (goes(raw) ? (remains.get(raw) ?? []) : [raw.text]));
  return [...marksOf(readableLines(once), options).map((mark) => JSON.stringify(mark)), ...body];
}

const isLastWord: Choice = ({ line }) =>
  line?.type === 'known' || (line?.type === 'compacted' && line.account !== undefined);

function marksOf(
  lines: readonly LedgerLine[],
  { before, at, run, who, archive }: CompactOptions,
): readonly CompactedLine[] {
  const [everybody = '', ...simulators] = viewsOf(lines);
  const creatorsIn = (view: string) => [...reduceLedger(inView(lines, view)).creators].toSorted();
  const known = creatorsIn(everybody);
  const mark: CompactedLine = { v: 1, at, run, type: 'compacted', who, before, archive, creators: known };
  return [
    mark,
    ...simulators.flatMap((origin) => {
      const creators = creatorsIn(origin).filter((creator) => !known.includes(creator));
      return creators.length === 0 ? [] : [{ ...mark, origin, creators }];
    }),
  ];
}

function withoutRepeats(all: readonly RawLine[]): readonly RawLine[] {
  const last = new Map(all.map((raw) => [raw.text, raw]));
  return all.filter((raw) => last.get(raw.text) === raw);
}

type Choice = (raw: RawLine) => boolean;

function settledIn(once: readonly RawLine[], before: string): Choice {
  const lines = readableLines(once);
  const hasLater = once.some(({ line }) => line === null);
  const entries = new Set(
    lines.flatMap((line) => (line.type === 'intent' || line.type === 'act' ? [line.entry] : [])),
  );
  const recent = lines.flatMap((line) => (isEntryLine(line) && !isBefore(line, before) ? [line.entry] : []));
  // What one service still needs stays, whichever this workspace works with now.
  const views = viewsOf(lines).map((view) => inView(lines, view));
  const needed = new Set([...recent, ...views.flatMap((view) => [...neededEntries(view)])]);
  const kept = new Set(views.flatMap((view) => [...withTheirClosers(needed, view)]));
  return ({ line }) => {
    if (line === null) return false;
    switch (line.type) {
      case 'seen':
      case 'protection':
      case 'rewrite':
        return isBefore(line, before);
      case 'intent':
      case 'act':
        return !kept.has(line.entry);
      case 'outcome':
      case 'acknowledged':
        // One without its intent may belong to a line that only a later version reads.
        return !kept.has(line.entry) && (entries.has(line.entry) || !hasLater) && isBefore(line, before);
      default:
        return false;
    }
  };
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function isBefore(line: LedgerLine, before: string): boolean {
  return INSTANT.test(line.at) && writtenAtMs(line) < Date.parse(before);
}

function remainsOf(
  once: readonly RawLine[],
  goes: Choice,
  options: CompactOptions,
): ReadonlyMap<RawLine, readonly string[]> {
  const timed = once.flatMap((raw) => (raw.line === null ? [] : [{ ...raw.line, raw, line: raw.line }]));
  const inOrder = inOrderOfTime(timed);
  const lines = inOrder.map(({ line }) => line);
  const remains = viewsOf(lines).flatMap((view) => {
    const seen = new Set(inView(readableLines(once), view));
    const own = inOrder.filter(({ line }) => seen.has(line));
    const intents = intentsIn([...seen]);
    const words = inOrderOf(timed, ({ line }) => writtenAtMs(timedBy(line, intents))).filter(({ line }) =>
      seen.has(line),
    );
    const known = remainsIn(view, words, intents, goes);
    const accounts = accountsIn(view, own, goes, options);
    return [...new Set([...known.keys(), ...accounts.keys()])].map((raw) => {
      const [said = [], account] = [known.get(raw), accounts.get(raw)];
      const isSaid = raw.line?.type !== 'outcome' && said.some((text) => !text.includes('"tells_account"'));
      return [raw, account === undefined || isSaid ? said : [account, ...said]] as const;
    });
  });
  return new Map(remains);
}

/** What is left of the lines that told last which account an alias stood for. */
function accountsIn(
  view: string,
  inOrder: readonly { readonly raw: RawLine; readonly line: LedgerLine }[],
  goes: Choice,
  { who, before, archive }: CompactOptions,
): ReadonlyMap<RawLine, string> {
  const last = new Map<string, RawLine>();
  for (const { raw } of inOrder) {
    const said = saidIn(raw);
    if (said !== null) last.set(said.account, raw);
  }
  const mark = { type: 'compacted', who, before, archive, creators: [] } as const;
  return new Map(
    inOrder.flatMap(({ raw, line }): readonly (readonly [RawLine, string])[] => {
      const said = saidIn(raw);
      if (said === null || !goes(raw) || viewOfLine(line) !== view) return [];
      if (last.get(said.account) !== raw) return [];
      const { run, origin } = line;
      const about = origin === undefined ? {} : { origin };
      const kept = { v: 1, ...timeOf(line), run, ...about, ...mark, ...said };
      return [[raw, line.type === 'compacted' ? raw.text : JSON.stringify(kept)]];
    }),
  );
}

/** The lines that are read here are without the details of acts. */
function saidIn({ text }: RawLine) {
  const line = parseLine(text);
  return line === null ? null : saidAccount(line);
}

function remainsIn(
  view: string,
  inOrder: readonly { readonly raw: RawLine; readonly line: LedgerLine }[],
  intents: ReadonlyMap<string, IntentLine>,
  goes: Choice,
): ReadonlyMap<RawLine, readonly string[]> {
  const said = inOrder.flatMap(({ raw, line }) =>
    effectsOf(line, intents).map((effect) => ({ raw, line, effect })),
  );
  const lastWord = new Map<string, Effect>();
  for (const { effect } of said)
    for (const field of Object.keys(effect.parts)) lastWord.set(wordKey(effect, field), effect);

  const remains = new Map<RawLine, string[]>();
  for (const { raw, line, effect } of said) {
    if (!goes(raw) || viewOfLine(line) !== view) continue;
    const fields = Object.entries(effect.parts).filter(
      ([field]) => lastWord.get(wordKey(effect, field)) === effect,
    );
    if (fields.length === 0) continue;
    const known = JSON.stringify(knownOf(line, intents, effect, Object.fromEntries(fields)));
    remains.set(raw, [...(remains.get(raw) ?? []), known]);
  }
  return remains;
}

/** Of an entry that begins twice the last begin in the file counts, as for every reader. */
function intentsIn(lines: readonly LedgerLine[]): ReadonlyMap<string, IntentLine> {
  return new Map(lines.flatMap((line) => (line.type === 'intent' ? [[line.entry, line]] : [])));
}

function wordKey({ accountId, kind, id }: Effect, field: string): string {
  return `${objectKey(accountId, kind, id)} ${field}`;
}

function knownOf(
  line: LedgerLine,
  intents: ReadonlyMap<string, IntentLine>,
  { account, accountId, kind, id }: Effect,
  set: Partial<KnownObject>,
): KnownLine {
  const { run, origin } = line;
  const about = origin === undefined ? {} : { origin };
  const object = { account, account_id: accountId, kind, live_id: id };
  const tells = saidAccount(line) === null ? { tells_account: false } : {};
  const time = timeOf(timedBy(line, intents));
  return { v: 1, ...time, run, ...about, type: 'known', ...object, set, ...tells };
}

function timedBy(line: LedgerLine, intents: ReadonlyMap<string, IntentLine>): Written {
  return countsFrom(line, 'entry' in line ? intents.get(line.entry) : undefined);
}

function neededEntries(lines: readonly LedgerLine[]): ReadonlySet<string> {
  const open = reduceLedger(lines).open.map(({ entry }) => entry);
  return new Set([...open, ...neededActs(actsOf(lines))]);
}

const PAYOUT = 'payouts.request';
const EXPORT = 'vault.upload-export';

/** Outcomes after which the bytes are, or may be, in the vault. */
const EXPORTED: readonly Act['outcome'][] = ['done', 'adopted', 'unknown'];

function neededActs(acts: readonly Act[]): readonly string[] {
  const payoutOpen = acts.some((act) => act.operation === PAYOUT && isOpenAct(act));
  return acts
    .filter((act) => {
      if (isOpenAct(act)) return true;
      if (act.operation === EXPORT) return act.liveId !== null || EXPORTED.includes(act.outcome);
      return act.operation === PAYOUT && payoutOpen;
    })
    .map(({ entry }) => entry);
}

function withTheirClosers(kept: ReadonlySet<string>, lines: readonly LedgerLine[]): ReadonlySet<string> {
  const ended = new Set(
    lines.flatMap((line) => (line.type === 'outcome' && line.outcome !== 'unknown' ? [line.entry] : [])),
  );
  const intents = lines.filter((line) => line.type === 'intent').filter(({ call }) => call !== 'create');
  const objects = new Set(
    intents.filter(({ entry }) => kept.has(entry) && !ended.has(entry)).map(sameChange),
  );
  const closers = intents.filter((intent) => objects.has(sameChange(intent)));
  return new Set([...kept, ...closers.map(({ entry }) => entry)]);
}
