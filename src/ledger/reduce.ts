import { compareText } from '../domain/diagnostic.ts';
import { objectKey, type Knowledge, type KnownObject, type OpenEntry } from '../domain/knowledge.ts';
import type { IntentLine, LedgerLine, OutcomeLine } from './lines.ts';

interface State {
  /** Every intent by its entry, so that an outcome finds its own wherever a merge has put it. */
  readonly intents: ReadonlyMap<string, IntentLine>;
  readonly objects: Map<string, KnownObject>;
  readonly creators: Set<string>;
  readonly open: Map<string, IntentLine>;
}

/**
 * What the ledger's lines amount to. Lines merged from two branches may stand twice and in any order:
 * they are put back in the order of time.
 */
export function reduceLedger(lines: readonly LedgerLine[]): Knowledge {
  const intents = lines.filter((line) => line.type === 'intent');
  const byEntry = new Map(intents.map((intent) => [intent.entry, intent]));
  const state: State = { intents: byEntry, objects: new Map(), creators: new Set(), open: new Map(byEntry) };
  for (const line of lines.toSorted((left, right) => compareText(left.at, right.at))) {
    const { objects } = state;
    if (line.type === 'outcome') conclude(state, line);
    if (line.type === 'seen')
      update(objects, line.account_id, line.kind, line.live_id, { name: line.name, pausedFor: null });
    if (line.type === 'rewrite')
      update(objects, line.account_id, line.kind, line.live_id, { name: line.name, rewrites: line.rewrites });
  }
  const open = [...state.open.values()].toSorted((left, right) => left.sent_at_ms - right.sent_at_ms);
  return { objects: state.objects, creators: state.creators, open: open.map(openEntry) };
}

function conclude(state: State, line: OutcomeLine): void {
  const intent = state.intents.get(line.entry);
  if (intent === undefined) return;
  if (line.outcome === 'unknown') {
    const sentAtMs = line.sent_at_ms ?? intent.sent_at_ms;
    if (state.open.has(line.entry)) state.open.set(line.entry, { ...intent, sent_at_ms: sentAtMs });
    return;
  }
  state.open.delete(line.entry);
  const liveId = line.live_id ?? intent.live_id;
  if ((line.outcome !== 'done' && line.outcome !== 'adopted') || liveId === null) return;
  closeEarlier(state, intent, liveId);
  if (intent.call === 'create') created(state, intent, line, liveId);
  else
    update(state.objects, intent.account_id, intent.kind, liveId, { name: intent.name, ...changed(intent) });
}

function created(state: State, intent: IntentLine, line: OutcomeLine, liveId: string): void {
  const { account_id: accountId, kind, name } = intent;
  if (line.created_by !== null) state.creators.add(line.created_by);
  update(state.objects, accountId, kind, liveId, {
    name,
    createdByHerald: true,
    contentDigest: intent.content,
    hiddenDigest: intent.hidden,
    listIds: line.list_ids,
  });
  for (const old of intent.supersedes) update(state.objects, accountId, kind, old, { supersededBy: liveId });
}

function changed(intent: IntentLine): Partial<KnownObject> {
  if (intent.call === 'unsend') return { recalled: true };
  return { pausedFor: intent.target === 'paused' ? intent.purpose : null };
}

/** A change that was heard makes earlier unheard ones of the same kind on the same object irrelevant. */
function closeEarlier(state: State, intent: IntentLine, liveId: string): void {
  if (intent.call === 'create') return;
  for (const [entry, other] of state.open) {
    const same =
      other.call === intent.call && other.live_id === liveId && other.account_id === intent.account_id;
    if (same && other.sent_at_ms < intent.sent_at_ms) state.open.delete(entry);
  }
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
    contentDigest: null,
    hiddenDigest: null,
    listIds: null,
    pausedFor: null,
    supersededBy: null,
    recalled: false,
    rewrites: [],
  };
  objects.set(key, { ...(objects.get(key) ?? fresh), ...parts });
}

function openEntry(intent: IntentLine): OpenEntry {
  return {
    entry: intent.entry,
    call: intent.call,
    address: { account: intent.account, kind: intent.kind, name: intent.name },
    accountId: intent.account_id,
    liveId: intent.live_id,
    target: intent.target,
    contentDigest: intent.content,
    wanted:
      intent.wanted === null
        ? null
        : { content: intent.wanted.content, scheduledAtUtc: intent.wanted.scheduled_at },
    baseline: intent.baseline,
    sentAtMs: intent.sent_at_ms,
  };
}
