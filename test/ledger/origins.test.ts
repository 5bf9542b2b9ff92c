import { describe, expect, it } from 'vitest';
import { actsOf } from '../../src/ledger/acts.ts';
import { historyOf } from '../../src/ledger/history.ts';
import { isOpenAct } from '../../src/ledger/keep.ts';
import { Ledger } from '../../src/ledger/ledger.ts';
import { LedgerReader } from '../../src/ledger/reader.ts';
import { LEDGER_FILE } from '../helpers/memory-workspace.ts';
import type { LedgerLine } from '../../src/ledger/lines.ts';
import { parseLedger } from '../../src/ledger/parse.ts';
import { addressOf, inView, withOrigins } from '../../src/ledger/origins.ts';
import { reduceLedger } from '../../src/ledger/reduce.ts';
import { LateStatusChanges } from '../../src/ledger/late-status-changes.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { aLedgerOf, BEGIN, instant } from '../helpers/ledger-arbitrary.ts';
import { anActLine, anIntent, anOutcomeLine, textOf, HELD_LEASE } from '../helpers/ledger-builders.ts';
import { memoryWorkspace } from '../helpers/memory-workspace.ts';
import { fc, runs } from '../helpers/properties.ts';
import { checkLedger, compactLedger } from '../helpers/whole-ledgers.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const DAY_MS = 86_400_000;
const REAL = 'https://service.example';
const [SIM, OTHER] = ['simulator:.herald/world.json', 'http://127.0.0.1:4010'];
const ANY_OPTIONS = { at: '2028-01-01T00:00:00.000Z', run: 'c', who: 'tester', archive: null };

describe('the address of a service', () => {
  it.each([
    ['https://service.example/', REAL],
    ['HTTPS://Service.Example:443', REAL],
    ['https://service.example/v2/', 'https://service.example/v2'],
    ['nonsense', 'nonsense'],
  ])('of %s is %s', (baseUrl, address) => {
    expect(addressOf({ kind: 'http', baseUrl })).toBe(address);
  });

  it('of an embedded simulator is the file that it is kept in', () => {
    expect(addressOf({ kind: 'simulator', worldFile: '.herald/world.json' })).toBe(SIM);
  });
});

describe('lines of a simulator', () => {
  const seen = (origin?: string): LedgerLine => ({
    v: 1,
    type: 'seen',
    at: '2026-06-01T12:00:00.000Z',
    run: origin ?? 'real',
    account: 'alice',
    account_id: '101',
    kind: 'campaign',
    name: 'Welcome',
    live_id: '7',
    ...(origin === undefined ? {} : { origin }),
  });

  it('count for it alone; lines without an origin count for everybody', () => {
    const lines = [seen(), seen(SIM), seen(OTHER)];
    expect(inView(lines, REAL)).toEqual([lines[0]]);
    expect(inView(lines, SIM)).toEqual([lines[0], lines[1]]);
  });

  it('are all lines of a run that heard so, and what ends its requests, in any order', () => {
    const lines: readonly LedgerLine[] = [
      anIntent({ run: 'one', entry: 'one-1' }),
      anOutcomeLine({ run: 'one', entry: 'one-1', origin: SIM }),
      anOutcomeLine({ run: 'two', entry: 'one-1' }),
      anIntent({ run: 'two', entry: 'two-1' }),
    ];
    const origins = [SIM, SIM, SIM, undefined];
    expect(withOrigins(lines).map(({ origin }) => origin)).toEqual(origins);
    expect(withOrigins(lines.toReversed()).map(({ origin }) => origin)).toEqual(origins.toReversed());
  });

  it('never end a request that may be the service’s', () => {
    const lines = withOrigins([
      anIntent({ run: 'old', entry: 'old-1' }),
      anOutcomeLine({ run: 'new', entry: 'old-1', outcome: 'absent', live_id: null, origin: SIM }),
    ]);
    expect(reduceLedger(inView(lines, REAL)).open.map(({ entry }) => entry)).toEqual(['old-1']);
    expect(reduceLedger(inView(lines, SIM)).open).toEqual([]);
  });

  it('are in no mark of a compaction that stands for other runs', () => {
    const mark = {
      ...seen(),
      type: 'compacted' as const,
      who: 'x',
      before: '',
      archive: null,
      creators: ['t:1'],
    };
    const lines = [
      { ...mark, run: 'c' },
      { ...mark, run: 'c', origin: SIM, creators: ['t:2'] },
    ];
    expect(withOrigins(lines)).toEqual(lines);
    expect([...reduceLedger(inView(withOrigins(lines), REAL)).creators]).toEqual(['t:1']);
  });
});

describe('a ledger', () => {
  const opened = async (address: string, isSimulator: boolean) => {
    const files = memoryWorkspace({});
    const told = { skewMs: 700, sureSkewMs: 700, isSimulator };
    const service = { address, serverInfo: () => told };
    const identity = { run: 'r', who: 'tester' };
    return {
      files,
      ledger: await Ledger.open({
        store: files.state.ledger,
        lease: HELD_LEASE,
        clock: flowClock(NOON),
        identity,
        service,
      }),
    };
  };
  const ACT = { operation: 'chat.send', account: 'a', account_id: '101', subject: 's', details: {} };

  it.each([
    ['of a simulator', true, SIM],
    ['of the service', false, undefined],
  ])('%s says so on every line', async (_title, isSimulator, origin) => {
    const { files, ledger } = await opened(SIM, isSimulator);
    await ledger.acknowledge(await ledger.begin(ACT));
    await ledger.close();
    const { lines } = parseLedger(files.tree[LEDGER_FILE] ?? '');
    expect(lines.map((line) => line.origin)).toEqual([origin, origin]);
    expect((await new LedgerReader(files.state.ledger, SIM).read()).lines).toHaveLength(2);
    expect((await new LedgerReader(files.state.ledger, REAL).read()).lines).toHaveLength(isSimulator ? 0 : 2);
  });
});

describe('a check of the ledger', () => {
  const open = anIntent({ run: 's', entry: 's-1', origin: SIM });
  const check = (lines: readonly LedgerLine[], address: string | null) =>
    checkLedger(textOf(lines), { nowMs: NOON + DAY_MS, address, settleMs: 75_000, compactBefore: '2020' });

  it('notes an unconfirmed request to another simulator, without a warning', () => {
    const { findings, unfinished, objects } = check([open, anIntent(), anOutcomeLine()], REAL);
    expect([unfinished, objects]).toEqual([[], 1]);
    expect(findings.map(({ severity, code }) => `${severity} ${code}`)).toEqual(['info ledger-elsewhere']);
    expect(findings[0]?.message).toBe(
      `1 line belongs to the simulator ${SIM} and has no effect here. Unconfirmed there: the create of alice/campaign/Welcome (entry s-1). To find out what happened, run herald apply with that simulator. If the simulator no longer exists: herald ledger close s-1 --because '…'`,
    );
  });

  it('warns of it there, and if the service of the workspace is not known', () => {
    for (const address of [SIM, null])
      expect(check([open], address).findings.map(({ code }) => code)).toEqual(['ledger-open']);
  });
});

describe('the history', () => {
  it('marks what was asked of a simulator', () => {
    const lines = [
      anIntent({ run: 's', entry: 's-1', origin: SIM }),
      anActLine({ entry: 'r-2' }),
      anIntent({ call: 'status', live_id: '7', target: 'paused', entry: 'r-3' }),
      anIntent({ call: 'status', live_id: '7', target: 'paused', run: 's', entry: 's-4', origin: SIM }),
      anOutcomeLine({ run: 's', entry: 's-4', origin: SIM }),
    ];
    expect(historyOf(lines).map(({ entry, simulator, outcome }) => [entry, simulator, outcome])).toEqual([
      ['s-1', SIM, 'unknown'],
      ['r-3', null, 'unknown'],
      ['s-4', SIM, 'done'],
      ['r-2', null, 'unknown'],
    ]);
  });
});

describe('a compaction of a ledger of several services', () => {
  /** Everything that is decided by the lines which count for that service. */
  const decisive = (lines: readonly LedgerLine[], view: string, before: string) => {
    const seen = inView(lines, view);
    const { objects, creators, open } = reduceLedger(seen);
    const unconfirmed = new LateStatusChanges(seen);
    return {
      objects: Object.fromEntries([...objects].toSorted()),
      creators: [...creators].toSorted(),
      open,
      openActs: actsOf(seen).filter(isOpenAct),
      unconfirmed: [...objects.keys()]
        .toSorted()
        .map((key) => unconfirmed.of(key).filter(({ sentAtMs }) => sentAtMs >= Date.parse(before))),
    };
  };
  const ofService = (prefix: string, later: number, origin?: string) =>
    aLedgerOf(prefix, BEGIN + later).map((lines) =>
      lines.map((line) => ({ ...line, run: prefix, ...(origin === undefined ? {} : { origin }) })),
    );
  const cut = fc.integer({ min: 0, max: 700 }).map((days) => instant(BEGIN + days * DAY_MS));

  it('decides the same for each of them, whichever the workspace works with', () => {
    fc.assert(
      fc.property(
        ofService('r', 0),
        ofService('s', 3, SIM),
        ofService('t', 7, OTHER),
        cut,
        (one, two, three, before) => {
          const merged = [...three, ...one, ...two];
          const { text, moved } = compactLedger(textOf(merged), { ...ANY_OPTIONS, before });
          const { lines } = parseLedger(text);
          for (const view of [REAL, SIM, OTHER])
            expect(decisive(lines, view, before)).toEqual(decisive(merged, view, before));
          const again = compactLedger(text, { ...ANY_OPTIONS, before });
          expect([again.text, again.moved]).toEqual([text, []]);
          expect(moved.length + lines.length).toBeGreaterThanOrEqual(merged.length);
        },
      ),
      runs(200),
    );
  });

  it('keeps what is open elsewhere, however old it is', () => {
    const old = { at: '2025-01-01T00:00:00.000Z', run: 's', origin: SIM };
    const lines = [
      anIntent({ ...old, entry: 's-1' }),
      anActLine({ ...old, entry: 's-2' }),
      anIntent({ at: old.at }),
      anOutcomeLine({ at: old.at }),
    ];
    const { text } = compactLedger(textOf(lines), { ...ANY_OPTIONS, before: '2026-01-01T00:00:00.000Z' });
    expect(text).toContain('"entry":"s-1"');
    expect(text).toContain('"entry":"s-2"');
    expect(text).not.toContain('"entry":"r-1"');
  });
});
