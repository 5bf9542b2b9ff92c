import type { LiveId } from '../domain/ids.ts';
import { targetStatusOf } from '../domain/status.ts';
import { nameForm } from '../domain/name-form.ts';
import { objectKey, type Knowledge, type KnownObject, type OpenEntry } from '../domain/knowledge.ts';
import { laterOf, sentBefore, sendTimeOf, surelySentBefore, type SendTime } from './ages.ts';
import { freshObject } from '../domain/fresh-object.ts';
import { mediaOnRecord } from './media-on-record.ts';
import { effectsOf, type Effect } from './effects.ts';
import { knownInstant } from './instant-text.ts';
import type { IntentLine, LedgerLine, OutcomeLine } from './lines.ts';
import { inOrderOfTime, isKnownLater, sentAtServiceMs } from './order.ts';
import { handStopsIn } from './stops.ts';
import { inOrderOfWords } from './word-times.ts';

interface State {
  /** Every intent by its entry, so that an outcome finds its own wherever a merge has put it. */
  readonly intents: ReadonlyMap<string, IntentLine>;
  readonly objects: Map<string, KnownObject>;
  readonly creators: Set<string>;
  /** Changes without an end of their own; `sent_at_ms` is that of the last copy. */
  readonly open: Map<string, IntentLine>;
  /** The same by `sameChange`, but for creates; those that left first stand last. */
  readonly waiting: ReadonlyMap<string, IntentLine[]>;
}

/**
 * What the ledger's lines amount to. Lines merged from two branches may stand twice and in any order:
 * they are put back in the order of time.
 */
export function reduceLedger(lines: readonly LedgerLine[]): Knowledge {
  const intents = lines.filter((line) => line.type === 'intent');
  const byEntry = new Map(intents.map((intent) => [intent.entry, intent]));
  const ended = new Set(lines.flatMap((line) => (isEnd(line) ? [line.entry] : [])));
  const endless = [...byEntry.values()].filter(({ entry }) => !ended.has(entry));
  const state: State = {
    intents: byEntry,
    objects: new Map(),
    creators: new Set(),
    open: new Map(endless.map((intent) => [intent.entry, intent])),
    waiting: waitingAmong(endless),
  };
  for (const line of inOrderOfTime(lines)) {
    if (line.type === 'outcome') conclude(state, line);
    if (line.type === 'compacted') for (const creator of line.creators) state.creators.add(creator);
  }
  for (const line of inOrderOfWords(lines, byEntry))
    for (const effect of effectsOf(line, byEntry)) update(state.objects, effect);
  const open = [...state.open.values()].toSorted(
    (left, right) => sentAtServiceMs(sendTimeOf(left)) - sentAtServiceMs(sendTimeOf(right)),
  );
  return {
    objects: state.objects,
    creators: state.creators,
    open: open.map(openEntry),
    media: mediaOnRecord(lines),
    handStops: new Set(handStopsIn(lines).map(({ entry }) => entry)),
  };
}

function conclude(state: State, line: OutcomeLine): void {
  const intent = state.intents.get(line.entry);
  if (intent === undefined) return;
  if (line.outcome === 'unknown') {
    const open = state.open.get(line.entry);
    if (open === undefined || line.sent_at_ms === null) return;
    const copy = sendTimeOf({ sent_at_ms: line.sent_at_ms, skew_ms: line.skew_ms });
    const { sentAtMs, skewMs } = laterOf(sendTimeOf(open), copy);
    state.open.set(line.entry, { ...intent, sent_at_ms: sentAtMs, skew_ms: skewMs });
    return;
  }
  const liveId = line.live_id ?? intent.live_id;
  if ((line.outcome !== 'done' && line.outcome !== 'adopted') || liveId === null) return;
  closeEarlier(state, intent, liveId);
  // An object that was found and adopted may be another person's: only an answer to a create tells who we are.
  const isAnswer = intent.call === 'create' && line.outcome === 'done';
  if (isAnswer && line.created_by !== null) state.creators.add(line.created_by);
}

/** Whether the line gives the final outcome of its entry. */
export function isEnd(line: LedgerLine): line is Extract<LedgerLine, { readonly entry: string }> {
  return line.type === 'acknowledged' || (line.type === 'outcome' && line.outcome !== 'unknown');
}

/** Whether a second end of an entry may tell something that the first one did not. */
export function saysMore(line: LedgerLine): boolean {
  if (line.type !== 'outcome') return false;
  const { outcome, for_good, unheard_ms } = line;
  return (
    outcome === 'done' || outcome === 'adopted' || for_good === true || (isEnd(line) && unheard_ms !== null)
  );
}

/**
 * A confirmed change makes earlier unconfirmed ones of the same kind on the same object irrelevant. This looks only at
 * earlier changes without an outcome, so the cost grows with the number of changes, not with its square.
 */
function closeEarlier(state: State, intent: IntentLine, liveId: LiveId): void {
  if (intent.call === 'create') return;
  const waiting = state.waiting.get(sameChange({ ...intent, live_id: liveId })) ?? [];
  const [, latestMs] = bounds(intent);
  const stay: IntentLine[] = [];
  for (let next = waiting.at(-1); next !== undefined && bounds(next)[0] <= latestMs; next = waiting.at(-1)) {
    waiting.pop();
    if (isOvertaken(next, sendTimeOf(state.open.get(next.entry) ?? next), intent))
      state.open.delete(next.entry);
    else stay.push(next);
  }
  waiting.push(...stay.toReversed());
}

/**
 * Whether a confirmed change makes the unconfirmed one irrelevant. It left before, or with it if both ask for the same. If
 * they ask for opposite things, the unconfirmed one may still undo the other one, unless it left before for certain.
 */
export function isOvertaken(begin: IntentLine, left: SendTime, by: IntentLine): boolean {
  const { target } = begin;
  if (isKnownLater(begin, by)) return false;
  return (target === by.target ? sentBefore : surelySentBefore)(left, sendTimeOf(by));
}

function waitingAmong(endless: readonly IntentLine[]): ReadonlyMap<string, IntentLine[]> {
  const waiting = new Map<string, IntentLine[]>();
  for (const intent of endless.toSorted((left, right) => bounds(right)[0] - bounds(left)[0])) {
    if (intent.call === 'create') continue;
    const key = sameChange(intent);
    const known = waiting.get(key);
    if (known === undefined) waiting.set(key, [intent]);
    else known.push(intent);
  }
  return waiting;
}

/** The earliest and latest time at which it was sent, by either clock: `leftBefore` never goes beyond these. */
export function bounds({
  sent_at_ms: sentAtMs,
  skew_ms: skewMs,
}: Pick<IntentLine, 'sent_at_ms' | 'skew_ms'>): readonly [number, number] {
  const onServiceMs = sentAtMs + (skewMs ?? 0);
  return [Math.min(sentAtMs, onServiceMs), Math.max(sentAtMs, onServiceMs)];
}

/** Changes with one key are of one kind and object. An unconfirmed one is over once a later one is confirmed. */
export function sameChange({
  call,
  account_id: accountId,
  live_id: liveId,
}: Pick<IntentLine, 'call' | 'account_id' | 'live_id'>): string {
  return `${call}/${accountId}/${liveId ?? ''}`;
}

/** Adds the facts of a line to those known of an object. */
export function update(objects: Map<string, KnownObject>, { accountId, kind, id, parts }: Effect): void {
  const key = objectKey(accountId, kind, id);
  objects.set(key, { ...(objects.get(key) ?? freshObject(id, accountId, kind)), ...parts });
}

function openEntry(intent: IntentLine): OpenEntry {
  const request = {
    entry: intent.entry,
    // A raw call of an earlier version has its name as it was typed.
    address: { account: intent.account, kind: intent.kind, name: nameForm(intent.name) },
    accountId: intent.account_id,
    sentAtMs: knownInstant(intent.sent_at_ms),
    notedAtMs: knownInstant(intent.sent_at_ms),
    skewMs: intent.skew_ms ?? null,
  };
  const { live_id: liveId, target: targetText, purpose, wanted } = intent;
  switch (intent.call) {
    case 'create':
      return {
        ...request,
        call: 'create',
        liveId: null,
        contentDigest: intent.content,
        wanted: wanted === null ? null : { content: wanted.content, scheduledAtUtc: wanted.scheduled_at },
        maybeMade: null,
        supersedes: intent.supersedes,
        baseline: intent.baseline,
      };
    case 'status':
      return { ...request, call: 'status', liveId, target: targetStatusOf(targetText), targetText, purpose };
    case 'unsend':
      return { ...request, call: 'unsend', liveId };
  }
}
