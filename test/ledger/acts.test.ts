import { describe, expect, it } from 'vitest';
import { actsOf } from '../../src/ledger/acts.ts';
import { Ledger } from '../../src/ledger/ledger.ts';
import { LedgerError } from '../../src/ledger/ledger-errors.ts';
import { parseLedger } from '../../src/ledger/parse.ts';
import { reduceLedger } from '../../src/ledger/reduce.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import {
  anActLine,
  anIntent,
  anOutcomeLine,
  textOf,
  HELD_LEASE,
  UNKNOWN_CLOCK_SERVICE,
} from '../helpers/ledger-builders.ts';
import { memoryWorkspace } from '../helpers/memory-workspace.ts';
import { LEDGER_FILE, NOON } from '../helpers/scene.ts';

const acknowledged = (at: string) =>
  ({ v: 1, at, run: 'r', type: 'acknowledged', entry: 'r-1', who: 'someone' }) as const;

describe('the imperative requests on record', () => {
  it('are unknown, and may still land, while nothing says how they ended', () => {
    expect(actsOf([anActLine()])).toEqual([
      {
        entry: 'r-1',
        operation: 'chat.send',
        account: 'alice',
        accountId: '101',
        subject: 'chat 101001',
        details: { chat_id: '101001' },
        sentAtMs: NOON,
        skewMs: null,
        unconfirmed: { sentAtMs: NOON, skewMs: null },
        run: 'r',
        origin: undefined,
        who: 'tester',
        outcome: 'unknown',
        liveId: null,
        message: '',
        acknowledged: false,
      },
    ]);
  });

  it('end with their outcome, and with when they really left', () => {
    const [act] = actsOf([
      anActLine(),
      anOutcomeLine({ live_id: 'send-1', sent_at_ms: NOON + 9, message: 'm' }),
    ]);
    expect(act).toMatchObject({
      outcome: 'done',
      liveId: 'send-1',
      sentAtMs: NOON + 9,
      unconfirmed: null,
      message: 'm',
    });
  });

  it('keep the time of a copy of which nothing was heard, whatever a later one was answered', () => {
    const [act] = actsOf([anActLine(), anOutcomeLine({ unheard_ms: NOON + 5 })]);
    expect(act).toMatchObject({ outcome: 'done', unconfirmed: { sentAtMs: NOON + 5 } });
  });

  it('are never taken back from what is certain to what no one knows', () => {
    const done = anOutcomeLine({ at: '2026-06-01T12:00:02.000Z', outcome: 'adopted' });
    const unknown = anOutcomeLine({ at: '2026-06-01T12:00:03.000Z', outcome: 'unknown', live_id: null });
    expect(actsOf([anActLine(), done, unknown])).toMatchObject([{ outcome: 'adopted', liveId: '7' }]);
    const settledLater = { ...done, at: '2026-06-01T12:00:04.000Z' };
    expect(actsOf([anActLine(), unknown, settledLater])).toMatchObject([{ outcome: 'adopted', liveId: '7' }]);
  });

  it('may be acknowledged, which says nothing about how they ended', () => {
    const lines = [
      anActLine(),
      anOutcomeLine({ outcome: 'unknown' }),
      acknowledged('2026-06-01T12:01:00.000Z'),
    ];
    expect(actsOf(lines)).toMatchObject([{ outcome: 'unknown', acknowledged: true }]);
  });

  it('are the same whatever a merge has done to the order of their lines, and stand once', () => {
    const lines = [
      anActLine(),
      anOutcomeLine({ outcome: 'unknown', unheard_ms: NOON }),
      acknowledged('2026-06-01T12:01:00.000Z'),
      anOutcomeLine({ at: '2026-06-01T12:02:00.000Z', live_id: 'send-1' }),
      anActLine({ entry: 'r-2', sent_at_ms: NOON + 60_000 }),
    ];
    const inOrder = actsOf(lines);
    expect(inOrder.map(({ entry }) => entry)).toEqual(['r-1', 'r-2']);
    expect(actsOf(lines.toReversed())).toEqual(inOrder);
    expect(actsOf([...lines, ...lines])).toEqual(inOrder);
  });

  it('are not objects of a plan, and outcomes without their request are nothing', () => {
    const lines = [anActLine(), anOutcomeLine(), anIntent({ entry: 'r-9' })];
    expect(reduceLedger(lines).open.map(({ entry }) => entry)).toEqual(['r-9']);
    expect(actsOf([anOutcomeLine({ entry: 'r-5' }), acknowledged('2026-06-01T12:00:00.000Z')])).toEqual([]);
  });

  it('survive being written and read, with members that a later version adds', () => {
    const text = textOf([anActLine(), anOutcomeLine()]).replace('"type":"act"', '"type":"act","later":1');
    const { lines, damaged } = parseLedger(text);
    expect(damaged).toEqual([]);
    expect(actsOf(lines)).toHaveLength(1);
  });
});

describe('the ledger of an imperative request', () => {
  const ACT = { operation: 'chat.send', account: 'alice', account_id: '101', subject: 's', details: {} };

  const aLedger = async () => {
    const files = memoryWorkspace({});
    const clock = flowClock(NOON);
    const ledger = await Ledger.open({
      store: files.state.ledger,
      lease: HELD_LEASE,
      clock,
      identity: { run: 'r', who: 'tester' },
      service: UNKNOWN_CLOCK_SERVICE,
    });
    return { files, clock, ledger };
  };

  it('has the entry on the disk before it says so, and knows its age', async () => {
    const { files, clock, ledger } = await aLedger();
    const entry = await ledger.begin(ACT);
    expect(files.tree[LEDGER_FILE]).toContain(`"entry":"${entry}"`);
    clock.move(6_000);
    expect(ledger.ageMs(entry)).toBe(6_000);
  });

  it('refuses to begin, and to acknowledge, when the disk does', async () => {
    const { files, ledger } = await aLedger();
    const entry = await ledger.begin(ACT);
    files.onWrite = () => new Error('no space left');
    await expect(ledger.begin(ACT)).rejects.toThrow(LedgerError);
    await expect(ledger.acknowledge(entry)).rejects.toThrow('no space left');
  });
});
