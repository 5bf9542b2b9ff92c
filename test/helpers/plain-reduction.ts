import { targetStatusOf } from '../../src/domain/status.ts';
import { objectKey, type Knowledge, type KnownObject, type OpenEntry } from '../../src/domain/knowledge.ts';
import { laterOf, sendTimeOf } from '../../src/ledger/ages.ts';
import { handStopsIn } from '../../src/ledger/stops.ts';
import { mediaOnRecord } from '../../src/ledger/media-on-record.ts';
import { effectsOf } from '../../src/ledger/effects.ts';
import { knownInstant } from '../../src/ledger/instant-text.ts';
import type { IntentLine, LedgerLine, OutcomeLine } from '../../src/ledger/lines.ts';
import { inOrderOfTime, sentAtServiceMs } from '../../src/ledger/order.ts';
import { isOvertaken, sameChange } from '../../src/ledger/reduce.ts';
import { inOrderOfWords } from '../../src/ledger/word-times.ts';

interface State {
  /** Every intent by its entry, so that an outcome finds its own wherever a merge has put it. */
  readonly intents: ReadonlyMap<string, IntentLine>;
  readonly objects: Map<string, KnownObject>;
  readonly creators: Set<string>;
  readonly open: Map<string, IntentLine>;
  /** Entries by `sameChange`. */
  readonly siblings: ReadonlyMap<string, readonly string[]>;
}

/** What the lines amount to, read all at once and in the order of time: what any quicker way has to come to. */
export function plainReduction(lines: readonly LedgerLine[]): Knowledge {
  const intents = lines.filter((line) => line.type === 'intent');
  const byEntry = new Map(intents.map((intent) => [intent.entry, intent]));
  const state: State = {
    intents: byEntry,
    objects: new Map(),
    creators: new Set(),
    open: new Map(byEntry),
    siblings: siblingsOf([...byEntry.values()]),
  };
  for (const line of inOrderOfTime(lines)) {
    if (line.type === 'outcome') conclude(state, line);
    if (line.type === 'acknowledged') state.open.delete(line.entry);
    if (line.type === 'compacted') for (const creator of line.creators) state.creators.add(creator);
  }
  for (const line of inOrderOfWords(lines, byEntry))
    for (const { accountId, kind, id, parts } of effectsOf(line, byEntry))
      update(state.objects, accountId, kind, id, parts);
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
  state.open.delete(line.entry);
  const liveId = line.live_id ?? intent.live_id;
  if ((line.outcome !== 'done' && line.outcome !== 'adopted') || liveId === null) return;
  closeEarlier(state, intent, liveId);
  const isAnswer = intent.call === 'create' && line.outcome === 'done';
  if (isAnswer && line.created_by !== null) state.creators.add(line.created_by);
}

/** A change that was heard makes earlier unconfirmed ones of the same kind on the same object irrelevant. */
function closeEarlier(state: State, intent: IntentLine, liveId: string): void {
  if (intent.call === 'create') return;
  for (const entry of state.siblings.get(sameChange({ ...intent, live_id: liveId })) ?? []) {
    const other = state.open.get(entry);
    if (other !== undefined && isOvertaken(other, sendTimeOf(other), intent)) state.open.delete(entry);
  }
}

function siblingsOf(intents: readonly IntentLine[]): ReadonlyMap<string, readonly string[]> {
  const siblings = new Map<string, string[]>();
  for (const intent of intents) {
    if (intent.call === 'create') continue;
    const key = sameChange(intent);
    const known = siblings.get(key);
    if (known === undefined) siblings.set(key, [intent.entry]);
    else known.push(intent.entry);
  }
  return siblings;
}

function update(
  objects: Map<string, KnownObject>,
  accountId: string,
  kind: KnownObject['kind'],
  id: string,
  parts: Partial<KnownObject>,
): void {
  const key = objectKey(accountId, kind, id);
  const fresh: KnownObject = {
    id,
    accountId,
    kind,
    name: '',
    createdByHerald: false,
    ours: false,
    isProtected: false,
    contentDigest: null,
    hiddenDigest: null,
    listIds: null,
    media: null,
    pausedFor: null,
    pausedAtMs: null,
    supersededBy: null,
    recalled: false,
    recallRefused: false,
    rewrites: [],
    createdBy: null,
    createLeftMs: null,
    createdAs: null,
  };
  objects.set(key, { ...(objects.get(key) ?? fresh), ...parts });
}

function openEntry(intent: IntentLine): OpenEntry {
  const request = {
    entry: intent.entry,
    address: { account: intent.account, kind: intent.kind, name: intent.name },
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
