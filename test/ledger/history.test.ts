import { describe, expect, it } from 'vitest';
import { historyOf } from '../../src/ledger/history.ts';
import { differencesBetween, findVersions, versionsOf } from '../../src/ledger/history-versions.ts';
import type { IntentLine, LedgerLine } from '../../src/ledger/lines.ts';
import { anIntent, anOutcomeLine } from '../helpers/ledger-builders.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const pause = { call: 'status', live_id: '7', target: 'paused', purpose: 'declared', content: null } as const;

/** `create done 7`, one an item. */
function told(...lines: readonly LedgerLine[]): readonly string[] {
  return historyOf(lines).map(({ action, outcome, live_id }) => `${action} ${outcome} ${live_id ?? '-'}`);
}

const sight = {
  v: 1,
  run: 'r',
  at: '2026-06-01T13:00:00.000Z',
  account: 'alice',
  account_id: '101',
  kind: 'campaign',
  name: 'Welcome',
  live_id: '7',
} as const;

describe('the history of a ledger', () => {
  it('is each request once, with how it ended', () => {
    expect(told(anIntent(), anOutcomeLine())).toEqual(['create done 7']);
    expect(told(anIntent(), anIntent(), anOutcomeLine(), anOutcomeLine())).toEqual(['create done 7']);
    expect(told(anIntent())).toEqual(['create unknown -']);
    expect(told(anIntent(), anOutcomeLine({ outcome: 'absent', live_id: null }))).toEqual([
      'create absent -',
    ]);
    expect(told(anIntent({ ...pause, target: 'queued' }), anOutcomeLine())).toEqual(['resume done 7']);
    expect(told(anIntent({ ...pause, call: 'unsend', target: null }), anOutcomeLine())).toEqual([
      'recall done 7',
    ]);
  });

  it('is never taken back by a line that says that no one knows', () => {
    const unknown = anOutcomeLine({ at: '2026-06-01T12:00:09.000Z', outcome: 'unknown', live_id: null });
    expect(told(anIntent(), anOutcomeLine(), unknown)).toEqual(['create done 7']);
  });

  it('separates a change that a later one made irrelevant from one that is open', () => {
    const later = { entry: 'r-2', at: '2026-06-01T12:00:02.000Z', sent_at_ms: NOON + 2_000 };
    const lines = [
      anIntent(pause),
      anIntent({ ...pause, ...later }),
      anOutcomeLine({ ...later, sent_at_ms: null }),
    ];
    expect(told(...lines)).toEqual(['pause overtaken 7', 'pause done 7']);
  });

  it('has what was learned without a request, and by whom as far as the run is known', () => {
    const lines: readonly LedgerLine[] = [
      anIntent(),
      anOutcomeLine(),
      { ...sight, type: 'seen' },
      { ...sight, type: 'seen' },
      { ...sight, type: 'rewrite', rewrites: [{ path: 'name', sent: '"a"', got: '"b"' }] },
      { ...sight, type: 'protection', who: 'mia', protect: false },
      { ...sight, run: 'other', type: 'seen' },
    ];
    const items = historyOf(lines).filter(({ entry }) => entry === null);
    expect(items.map(({ action, message }) => `${action}: ${message}`)).toEqual([
      'take over: live and equal to the file',
      'accept rewrite: the service changed name',
      'lift protection: declared without protect',
      'take over: live and equal to the file',
    ]);
    expect(items.at(-1)?.who).toBeNull();
    expect(items[0]?.address).toBe('alice/campaign/Welcome');
  });

  it('says of acts that someone has looked at', () => {
    const act: LedgerLine = {
      v: 1,
      type: 'act',
      at: '2026-06-01T12:00:00.000Z',
      run: 'r',
      entry: 'r-9',
      who: 'mia',
      operation: 'payouts.request',
      account: 'alice',
      account_id: '101',
      subject: '100.10 USD',
      details: {},
      sent_at_ms: NOON,
    };
    const seen: LedgerLine = {
      v: 1,
      type: 'acknowledged',
      at: '2026-06-01T13:00:00.000Z',
      run: 's',
      entry: 'r-9',
      who: 'bo',
    };
    expect(historyOf([act, seen])[0]).toMatchObject({
      address: 'alice/payouts/100.10 USD',
      action: 'payouts.request',
      outcome: 'acknowledged',
      who: 'mia',
      ended_at: null,
    });
    expect(historyOf([{ ...act, sent_at_ms: 1e300 }])[0]?.at).toBe('no known time');
  });
});

describe('versions of a resource', () => {
  const wanted = (text: string, more: object = {}): IntentLine['wanted'] => ({
    scheduled_at: null,
    content: {
      trigger: 't',
      action: 'send_message',
      audience_filters: [],
      messages: [{ text, tagged_platform_account_ids: ['1', '2'] }],
      rules: { send_delay_interval: { min_sec: 30 } },
      ...more,
    },
  });
  const one = anIntent({ content: 'aaaa1111', wanted: wanted('Hey') });
  const two = anIntent({
    entry: 'r-2',
    at: '2026-06-02T12:00:00.000Z',
    content: 'aabb2222',
    wanted: wanted('Hi'),
  });
  const versions = versionsOf(historyOf([one, two]), [one, two]);

  it('are found by entry, live id, or the beginning of a digest', () => {
    expect(findVersions(versions, 'r-2').map(({ item }) => item.entry)).toEqual(['r-2']);
    expect(findVersions(versions, 'aab').map(({ item }) => item.entry)).toEqual(['r-2']);
    expect(findVersions(versions, 'aa').length).toBe(2);
    expect(findVersions(versions, 'x')).toEqual([]);
  });

  it('differ field by field; null stands for what is not there', () => {
    const left = wanted('Hey');
    const right = wanted('Hey', {
      messages: [{ text: 'Hey', tagged_platform_account_ids: ['1'] }, { text: 'More' }],
      rules: {},
    });
    if (left === null || right === null) throw new Error('both have content');
    expect(differencesBetween(left, right)).toEqual([
      { path: 'messages[0].tagged_platform_account_ids', old: ['1', '2'], new: ['1'] },
      { path: 'rules.send_delay_interval.min_sec', old: 30, new: null },
      { path: 'messages[1].text', old: null, new: 'More' },
    ]);
    expect(differencesBetween(left, { ...left, scheduled_at: '2026-06-01T15:00:00Z' })).toEqual([
      { path: 'scheduled_at', old: null, new: '2026-06-01T15:00:00Z' },
    ]);
    expect(differencesBetween(left, left)).toEqual([]);
  });
});
