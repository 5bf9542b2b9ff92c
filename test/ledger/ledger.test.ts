import { describe, expect, it } from 'vitest';
import { Ledger } from '../../src/ledger/ledger.ts';
import { LedgerError } from '../../src/ledger/ledger-errors.ts';
import { LedgerReader } from '../../src/ledger/reader.ts';
import { LEDGER_FILE } from '../helpers/memory-workspace.ts';
import type { LedgerLine } from '../../src/ledger/lines.ts';
import { parseLedger } from '../../src/ledger/parse.ts';
import { reduceLedger } from '../../src/ledger/reduce.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { memoryWorkspace } from '../helpers/memory-workspace.ts';
import { NOON } from '../helpers/scene.ts';
import {
  anIntent,
  anOutcomeLine,
  textOf,
  HELD_LEASE,
  UNKNOWN_CLOCK_SERVICE,
} from '../helpers/ledger-builders.ts';

const KEY = '101/campaign/7';
const INTENT = (({
  v: _v,
  at: _at,
  run: _run,
  type: _type,
  entry: _entry,
  who: _who,
  sent_at_ms: _sent,
  ...rest
}) => rest)(anIntent());
const DONE = (({ v: _v, at: _at, run: _run, type: _type, entry: _entry, ...rest }) => rest)(anOutcomeLine());

function aLedger(text?: string) {
  const files = memoryWorkspace(text === undefined ? {} : { [LEDGER_FILE]: text });
  const clock = flowClock(NOON);
  return {
    files,
    open: () =>
      Ledger.open({
        store: files.state.ledger,
        lease: HELD_LEASE,
        clock,
        identity: { run: 'run', who: 'me' },
        service: UNKNOWN_CLOCK_SERVICE,
      }),
  };
}

describe('the ledger', () => {
  it('gives back what was written', async () => {
    const { files, open } = aLedger();
    const ledger = await open();
    const entry = await ledger.intend(INTENT);
    expect(
      (await new LedgerReader(files.state.ledger, '').read()).knowledge.open.map((open_) => open_.entry),
    ).toEqual([entry]);
    await ledger.conclude(entry, DONE);
    const pause = await ledger.intend({
      ...INTENT,
      call: 'status',
      live_id: '7',
      target: 'paused',
      purpose: 'replace',
    });
    await ledger.conclude(pause, DONE);
    await ledger.close();
    const { knowledge, diagnostics } = await new LedgerReader(files.state.ledger, '').read();
    expect(diagnostics).toEqual([]);
    expect(knowledge.open).toEqual([]);
    expect(knowledge.creators).toEqual(new Set(['api_token:1']));
    expect(knowledge.objects.get(KEY)).toMatchObject({
      createdByHerald: true,
      contentDigest: 'c',
      hiddenDigest: 'h',
      pausedFor: 'replace',
    });
  });

  it('knows nothing where there is none', async () => {
    const { knowledge, diagnostics } = await new LedgerReader(aLedger().files.state.ledger, '').read();
    expect([knowledge.objects.size, knowledge.open.length, diagnostics.length]).toEqual([0, 0, 0]);
  });

  it('begins a new line after one that a crash cut short', async () => {
    const { files, open } = aLedger(`${textOf([anIntent()])}{"v":1,"at":"2026-06-01T12:00:0`);
    const before = await new LedgerReader(files.state.ledger, '').read();
    expect(before.diagnostics.map(({ line }) => line)).toEqual([2]);
    const ledger = await open();
    await ledger.conclude('r-1', DONE);
    const { knowledge, diagnostics } = await new LedgerReader(files.state.ledger, '').read();
    expect(diagnostics.map(({ line, message }) => [line, message])).toEqual([
      [2, expect.stringContaining('To remove it: herald ledger compact')],
    ]);
    expect(knowledge.open).toEqual([]);
  });

  it('keeps a whole last line that only lacks its line break', async () => {
    const { files, open } = aLedger(textOf([anIntent()]).trimEnd());
    const ledger = await open();
    await ledger.conclude('r-1', DONE);
    expect((await new LedgerReader(files.state.ledger, '').read()).knowledge.objects.has(KEY)).toBe(true);
  });

  it('passes over a damaged line in the middle, and names it', async () => {
    const { files } = aLedger(`${textOf([anIntent()])}<<<<<<< ours\n${textOf([anOutcomeLine()])}`);
    const { knowledge, diagnostics } = await new LedgerReader(files.state.ledger, '').read();
    expect(diagnostics).toMatchObject([
      { code: 'ledger-line', file: LEDGER_FILE, line: 2, severity: 'warning' },
    ]);
    expect(knowledge.objects.has(KEY)).toBe(true);
  });

  it('takes a line with a text that is not text for damaged', () => {
    const withText = (text: unknown) => {
      const content = { audience_filters: [], messages: [{ text }] };
      return JSON.stringify({ ...anIntent(), wanted: { content, scheduled_at: null } });
    };
    expect(parseLedger(withText('Hey')).damaged).toEqual([]);
    expect(parseLedger(withText(['Hey'])).damaged).toEqual([1]);
  });

  it('reads lines that a later version has added members to', () => {
    const later = [anIntent(), anOutcomeLine()].map((line) => ({
      ...line,
      colour: 'blue',
      more: { deep: [1] },
    }));
    const { lines, damaged } = parseLedger(later.map((line) => JSON.stringify(line)).join('\n'));
    expect(damaged).toEqual([]);
    expect(lines).toEqual([anIntent(), anOutcomeLine()]);
  });

  it('reads lines of before sends were timed', () => {
    const { sent_at_ms: _later, ...earlier } = anOutcomeLine();
    expect(parseLedger(JSON.stringify(earlier)).damaged).toEqual([]);
  });

  it('does not let a request leave that is not on record', async () => {
    const { files, open } = aLedger();
    const ledger = await open();
    files.onWrite = () => new Error('ENOSPC: no space left on device');
    await expect(ledger.intend(INTENT)).rejects.toThrow(LedgerError);
    expect(ledger.problem).toContain('ENOSPC');
  });

  it('does not fail after the fact, yet says that lines are missing', async () => {
    const { files, open } = aLedger();
    const ledger = await open();
    const entry = await ledger.intend(INTENT);
    files.onWrite = () => new Error('EIO: i/o error');
    await ledger.conclude(entry, DONE);
    expect(ledger.problem).toContain('EIO');
    expect(
      (await new LedgerReader(files.state.ledger, '').read()).knowledge.open.length,
      'the next run looks again',
    ).toBe(1);
  });
});

describe('lines that were merged', () => {
  const lines: readonly LedgerLine[] = [
    anIntent(),
    anOutcomeLine(),
    anIntent({
      entry: 'r-2',
      at: '2026-06-01T12:00:02.000Z',
      call: 'status',
      live_id: '7',
      target: 'paused',
      purpose: 'declared',
      sent_at_ms: NOON + 2_000,
    }),
    anOutcomeLine({ entry: 'r-2', at: '2026-06-01T12:00:03.000Z', created_by: null }),
    anIntent({
      entry: 'r-3',
      at: '2026-06-01T12:00:04.000Z',
      call: 'status',
      live_id: '7',
      target: 'active',
      sent_at_ms: NOON + 4_000,
    }),
    anOutcomeLine({ entry: 'r-3', at: '2026-06-01T12:00:05.000Z', created_by: null }),
  ];
  const expected = reduceLedger(lines);

  it.each([
    ['turned round', lines.toReversed()],
    ['rotated', [...lines.slice(3), ...lines.slice(0, 3)]],
    ['doubled', [...lines, ...lines]],
    ['doubled and turned round', [...lines, ...lines.toReversed()]],
  ])('amount to the same when they are %s', (_title, merged) => {
    const { objects, open, creators } = reduceLedger(merged);
    expect(objects).toEqual(expected.objects);
    expect(open).toEqual([]);
    expect(creators).toEqual(expected.creators);
  });

  it('amount to the same when all of them have one instant', () => {
    const at = '2026-06-01T12:00:00.000Z';
    const same = lines.slice(0, 2).map((line) => ({ ...line, at }));
    expect(reduceLedger(same.toReversed()).open).toEqual([]);
  });
});

describe('what the lines amount to', () => {
  const pause = anIntent({ call: 'status', live_id: '7', target: 'paused', purpose: 'replace' });

  it('keeps an unknown outcome open, with the time at which the request really left', () => {
    const { open } = reduceLedger([
      anIntent(),
      anOutcomeLine({ outcome: 'unknown', live_id: null, sent_at_ms: NOON + 40_000 }),
    ]);
    expect(open.map(({ sentAtMs }) => sentAtMs)).toEqual([NOON + 40_000]);
  });

  it.each([1e300, -1e300])(
    'gives an open request a time that a date can name, whatever is written: %d',
    (ms) => {
      const [open] = reduceLedger([anIntent({ sent_at_ms: ms })]).open;
      const settledMs = (open?.sentAtMs ?? Number.NaN) + 3_600_000;
      expect(new Date(settledMs).toISOString()).toMatch(ms > 0 ? /^\+/ : /^-/);
    },
  );

  it('closes what was refused or never sent, and learns nothing from it', () => {
    for (const outcome of ['refused', 'not_sent', 'absent'] as const) {
      const { open, objects } = reduceLedger([anIntent(), anOutcomeLine({ outcome, live_id: null })]);
      expect([open.length, objects.size]).toEqual([0, 0]);
    }
  });

  it('closes an earlier unconfirmed change once a later one on the same object was heard', () => {
    const again = { ...pause, entry: 'r-2', at: '2026-06-01T12:00:02.000Z', sent_at_ms: NOON + 2_000 };
    const { open } = reduceLedger([
      pause,
      again,
      anOutcomeLine({ entry: 'r-2', at: '2026-06-01T12:00:03.000Z' }),
    ]);
    expect(open).toEqual([]);
  });

  it('keeps a later unconfirmed change open when an earlier one was heard', () => {
    const back = { ...pause, entry: 'r-2', target: 'active', purpose: null, sent_at_ms: NOON + 500 };
    const { open } = reduceLedger([pause, back, anOutcomeLine({ at: '2026-06-01T12:00:00.600Z' })]);
    expect(open.map(({ entry }) => entry)).toEqual(['r-2']);
  });

  it.each([
    ['sent with it', 0, 0, true],
    ['sent a second later by the same clock', 1_000, 0, false],
    ['sent a second later by a clock that may be two seconds ahead', 1_000, -1_500, true],
    ['sent a minute later', 60_000, -1_500, false],
  ])('keeps an opposite change open unless it left before for certain: %s', (_, laterMs, skewMs, isOpen) => {
    const back = { ...pause, entry: 'r-2', target: 'active', purpose: null, sent_at_ms: NOON, skew_ms: 0 };
    const stop = { ...pause, sent_at_ms: NOON + laterMs, skew_ms: skewMs };
    const { open } = reduceLedger([back, stop, anOutcomeLine({ at: '2026-06-01T12:01:01.000Z' })]);
    expect(open.map(({ entry }) => entry)).toEqual(isOpen ? ['r-2'] : []);
  });

  it('marks the old version as superseded by the new one', () => {
    const { objects } = reduceLedger([anIntent({ supersedes: ['5', '6'] }), anOutcomeLine()]);
    expect(objects.get('101/campaign/5')?.supersededBy).toBe('7');
    expect(objects.get('101/campaign/6')).toMatchObject({ supersededBy: '7', name: anIntent().name });
  });

  it('keeps what an unconfirmed create replaces', () => {
    const { open } = reduceLedger([anIntent({ supersedes: ['5', '6'] })]);
    expect(open).toMatchObject([{ call: 'create', supersedes: ['5', '6'] }]);
  });

  it('forgets a pause of ours once the object was seen running', () => {
    const seen: LedgerLine = {
      v: 1,
      at: '2026-06-01T13:00:00.000Z',
      run: 's',
      type: 'seen',
      account: 'alice',
      account_id: '101',
      kind: 'campaign',
      name: 'New name',
      live_id: '7',
    };
    const { objects } = reduceLedger([pause, anOutcomeLine(), seen]);
    expect(objects.get(KEY)).toMatchObject({ pausedFor: null, name: 'New name' });
  });

  it.each(['paused', 'archived'])('%s by hand is a decision on record and makes nothing ours', (target) => {
    const byHand = anIntent({ call: 'status', live_id: '7', target, purpose: 'by_hand' });
    expect(reduceLedger([byHand, anOutcomeLine()]).objects.get(KEY)).toMatchObject({
      pausedFor: 'by_hand',
      ours: false,
    });
    const on = anIntent({ ...byHand, at: '2026-06-01T12:00:02.000Z', entry: 'r-2', target: 'active' });
    const done = anOutcomeLine({ at: '2026-06-01T12:00:03.000Z', entry: 'r-2' });
    expect(reduceLedger([byHand, anOutcomeLine(), on, done]).objects.get(KEY)?.pausedFor).toBeNull();
  });
});
