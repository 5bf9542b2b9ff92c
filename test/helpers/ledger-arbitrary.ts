import fc from 'fast-check';
import type { ActLine, LedgerLine } from '../../src/ledger/lines.ts';
import { writtenAtMs } from '../../src/ledger/order.ts';
import { anIntent, anOutcomeLine } from './ledger-builders.ts';

/** When the drawn ledgers begin: a year before the flows. */
export const BEGIN = Date.UTC(2025, 5, 1, 12);

const HOUR_MS = 3_600_000;

export function instant(ms: number): string {
  return new Date(ms).toISOString();
}

/** What one drawn entry or line will look like, without its times. */
type Drawn = (entry: string, at: () => { ms: number; at: string }) => readonly LedgerLine[];

/** By how much the clock of the machine that writes an entry is ahead of the service's. */
const aheadMs = fc.constantFrom(0, 0, 3_600_000, -40 * 86_400_000);

/** Lines of many runs in the order of time, each at an instant of its own, up to two years long. */
export function aLedgerOf(prefix: string, beginMs = BEGIN): fc.Arbitrary<readonly LedgerLine[]> {
  const gap = fc.integer({ min: 1, max: 30 * 24 });
  const drawn = fc.array(
    fc.tuple(fc.oneof(change, act, sight), fc.array(gap, { minLength: 4, maxLength: 4 }), aheadMs),
    {
      maxLength: 14,
    },
  );
  return drawn.map((all) => {
    let ms = beginMs;
    let moment = 0;
    return all
      .flatMap(([draw, gaps, ahead], index) => {
        // The next entry may begin before this one has ended.
        ms += HOUR_MS * (gaps[0] ?? 1);
        let own = ms;
        const at = () => {
          own += HOUR_MS * (gaps[(moment += 1) % 4] ?? 1);
          // No two lines of one instant: how those are taken is left to their order.
          const distinct = own + (moment % HOUR_MS);
          return { ms: distinct, at: instant(distinct) };
        };
        return draw(`${prefix}-${index}`, at).map((line) => onMachine(line, ahead));
      })
      .toSorted((left, right) => writtenAtMs(left) - writtenAtMs(right));
  });
}

/** The line as a machine writes it with a clock that is ahead by so much. */
function onMachine(line: LedgerLine, ahead: number): LedgerLine {
  if (ahead === 0) return line;
  const at = instant(Date.parse(line.at) + ahead);
  if (line.type === 'intent' || line.type === 'act')
    return { ...line, at, sent_at_ms: line.sent_at_ms + ahead, skew_ms: -ahead };
  if (line.type !== 'outcome') return { ...line, at, at_skew_ms: -ahead };
  const [sent_at_ms, unheard_ms] = [line.sent_at_ms, line.unheard_ms].map((ms) => ms && ms + ahead);
  return { ...line, at, sent_at_ms: sent_at_ms ?? null, unheard_ms: unheard_ms ?? null, skew_ms: -ahead };
}

const id = fc.constantFrom('1', '2', '3', '4');
/** The name behind an alias may move to another account, and an account may get another alias. */
const account = fc.constantFrom(
  { account: 'alice', account_id: '101' },
  { account: 'bob', account_id: '102' },
  { account: 'alice', account_id: '102' },
  { account: 'carol', account_id: '101' },
);
/** A payout may be of an account of which only the platform's id was known. */
const payer = fc.oneof({ weight: 4, arbitrary: account }, fc.constant({ account: 'bob', account_id: 'p1' }));
const ends = fc.array(
  fc.record({
    outcome: fc.constantFrom('done', 'adopted', 'refused', 'not_sent', 'absent', 'unknown'),
    made: fc.constantFrom('1', '2', '3', '4', '5', '6'),
    created_by: fc.constantFrom(null, 'api_token:1', 'user:9'),
    list_ids: fc.constantFrom<string[] | null>(null, [], ['8', '9']),
    unconfirmed: fc.boolean(),
    for_good: fc.boolean(),
  }),
  { maxLength: 2 },
);

const change: fc.Arbitrary<Drawn> = fc
  .record({
    account,
    ends,
    call: fc.constantFrom('create', 'status', 'unsend'),
    kind: fc.constantFrom('campaign', 'broadcast'),
    name: fc.constantFrom('Welcome', 'Teaser'),
    liveId: id,
    target: fc.constantFrom('paused', 'active', 'archived'),
    purpose: fc.constantFrom('declared', 'replace', 'by_hand', null),
    supersedes: fc.subarray(['1', '2', '3', '4']),
    content: fc.constantFrom('a', 'b'),
    protect: fc.boolean(),
  })
  .map((drawn) => (entry, at) => {
    const begun = at();
    const isCreate = drawn.call === 'create';
    const intent = anIntent({
      ...drawn.account,
      entry,
      at: begun.at,
      sent_at_ms: begun.ms,
      call: drawn.call,
      kind: drawn.kind,
      name: drawn.name,
      content: isCreate ? drawn.content : null,
      live_id: isCreate ? null : drawn.liveId,
      target: drawn.call === 'status' ? drawn.target : null,
      purpose: drawn.call === 'status' ? drawn.purpose : null,
      supersedes: isCreate ? drawn.supersedes : [],
      protect: isCreate && drawn.protect,
    });
    const outcomes = drawn.ends.map((end) => {
      const ended = at();
      const { outcome, created_by, list_ids } = end;
      return anOutcomeLine({
        entry,
        at: ended.at,
        outcome,
        created_by: isCreate ? created_by : null,
        list_ids: isCreate ? list_ids : null,
        live_id: isCreate ? (outcome === 'done' || outcome === 'adopted' ? end.made : null) : drawn.liveId,
        sent_at_ms: begun.ms,
        unheard_ms: end.unconfirmed ? ended.ms : null,
        ...(outcome === 'refused' ? { for_good: end.for_good } : {}),
      });
    });
    return [intent, ...outcomes];
  });

const act: fc.Arbitrary<Drawn> = fc
  .record({
    account: payer,
    ends,
    acknowledged: fc.boolean(),
    what: fc.constantFrom(
      { operation: 'payouts.request', details: { platform_account_id: 'p1', cents: 5, amount: '0.05' } },
      { operation: 'vault.upload-export', details: { key: 'k', name: 'a.jpg', size: 3 } },
      { operation: 'chat.send', details: { chat_id: '7', digest: 'd' } },
      { operation: 'fans.label', details: { fan_id: '7', labels: { note: 'x' } } },
    ),
  })
  .map(({ account: owner, ends: drawnEnds, acknowledged, what }) => (entry, at) => {
    const begun = at();
    const base = { v: 1, run: 'r' } as const;
    const line: ActLine = {
      ...base,
      ...owner,
      type: 'act',
      at: begun.at,
      entry,
      who: 'tester',
      subject: 'it',
      operation: what.operation,
      details: { baseline: [], available_cents: null, ...what.details },
      sent_at_ms: begun.ms,
    };
    const outcomes = drawnEnds.map(({ outcome, made }) =>
      anOutcomeLine({
        entry,
        at: at().at,
        outcome,
        live_id: outcome === 'done' ? made : null,
        created_by: null,
        list_ids: null,
      }),
    );
    const last: readonly LedgerLine[] = acknowledged
      ? [{ ...base, type: 'acknowledged', at: at().at, entry, who: 'tester' }]
      : [];
    return [line, ...outcomes, ...last];
  });

const sight: fc.Arbitrary<Drawn> = fc
  .record({
    account,
    liveId: id,
    type: fc.constantFrom('seen', 'rewrite', 'protection'),
    protect: fc.boolean(),
    name: fc.constantFrom('Welcome', 'New'),
  })
  .map(({ account: owner, liveId, type, protect, name }) => (_entry, at): readonly LedgerLine[] => {
    const base = { v: 1, run: 'r', ...owner, at: at().at, kind: 'campaign', name, live_id: liveId } as const;
    switch (type) {
      case 'seen':
        return [{ ...base, type }];
      case 'rewrite':
        return [{ ...base, type, rewrites: [{ path: 'name', sent: 'a', got: 'b' }] }];
      case 'protection':
        return [{ ...base, type, who: 'tester', protect }];
    }
  });
