import { describe, expect, it } from 'vitest';
import { fileLedgerStore } from '../../src/host/file-ledger-store.ts';
import { readWholeRecord } from '../../src/ledger/whole-record.ts';
import { historyOf } from '../../src/ledger/history.ts';
import { Ledger } from '../../src/ledger/ledger.ts';
import { LedgerReader } from '../../src/ledger/reader.ts';
import { LEDGER_FILE } from '../helpers/memory-workspace.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import {
  anIntent,
  anOutcomeLine,
  textOf,
  HELD_LEASE,
  UNKNOWN_CLOCK_SERVICE,
} from '../helpers/ledger-builders.ts';
import { memoryWorkspace } from '../helpers/memory-workspace.ts';
import { checkLedger, compactLedger } from '../helpers/whole-ledgers.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const WHOLE = textOf([anIntent(), anOutcomeLine()]);
const windows = (text: string) => text.replaceAll('\n', '\r\n');
const ARCHIVE = '.herald/ledger-archive-2026-09-10.ndjson';

function found(text: string): readonly string[] {
  const options = { nowMs: NOON + 1e7, address: null, settleMs: 75_000, compactBefore: '2026' };
  return checkLedger(text, options).findings.map(({ severity, code }) => `${severity} ${code}`);
}

describe('a ledger with line breaks of Windows', () => {
  it('is read as what it says', () => {
    expect(found(windows(WHOLE))).toEqual([]);
  });

  it('says the same line as one without them, after a merge of both', () => {
    expect(found(WHOLE + windows(WHOLE))).toEqual(['info ledger-order', 'info ledger-repeated']);
    const options = { before: '2026', at: '2028', run: 'c', who: 'x', archive: null };
    expect(compactLedger(windows(WHOLE) + WHOLE, options)).toMatchObject({ text: WHOLE, repeated: 2 });
  });

  it('shows everything once, as its archive does', async () => {
    const files = memoryWorkspace({ [LEDGER_FILE]: WHOLE, [ARCHIVE]: windows(WHOLE) });
    expect((await readWholeRecord(files.state.ledger)).lines).toHaveLength(2);
  });
});

it('reads its first line behind a byte order mark', () => {
  expect(found(`\uFEFF${WHOLE}`)).toEqual([]);
});

describe('a last line without a line break', () => {
  const opened = async (text: string) => {
    const files = memoryWorkspace({ [LEDGER_FILE]: text });
    const identity = { run: 'r', who: 'x' };
    const ports = {
      store: files.state.ledger,
      clock: flowClock(NOON),
      identity,
      service: UNKNOWN_CLOCK_SERVICE,
    };
    await (await Ledger.open({ ...ports, lease: HELD_LEASE })).close();
    return files.tree[LEDGER_FILE];
  };

  it.each([
    ['of a later version', '{"v":2,"type":"intent"}', 'error ledger-later'],
    ['of a later version of its kind', '{"v":1,"type":"outcome","outcome":"new"}', 'error ledger-damaged'],
    ['of this version', textOf([anIntent({ entry: 'r-2' })]).trimEnd(), 'error ledger-open'],
  ])('stays where it is whole: %s', async (_title, last, finding) => {
    expect(await opened(WHOLE + last)).toBe(WHOLE + last);
    expect(found(WHOLE + last)).toContain(finding);
  });

  it.each(['{"v":1,"at":"20', '{', '\0\0'])('is ignored where a crash cut it short: %j', async (last) => {
    expect(await opened(WHOLE + last)).toBe(WHOLE + last);
    expect(found(WHOLE + last)).toEqual(['warning ledger-torn']);
  });

  it.each(['"', 'nu', '{"v":1,"at":{"v":1,"at":"20"}'])(
    'is damaged where no line begins so, or another line is in it: %j',
    async (last) => {
      expect(await opened(WHOLE + last)).toBe(WHOLE + last);
      expect(found(WHOLE + last)).toEqual(['error ledger-damaged']);
    },
  );
});

describe('the whole record', () => {
  it('is not whole where an archive was cut short: no crash of Herald does that', async () => {
    const files = memoryWorkspace({ [LEDGER_FILE]: '', [ARCHIVE]: `${WHOLE}{"v":1,"at":"20` });
    expect((await readWholeRecord(files.state.ledger)).damaged).toEqual([`${ARCHIVE}:3`]);
    files.tree[LEDGER_FILE] = '{"v":1,"at":"20';
    delete files.tree[ARCHIVE];
    expect((await readWholeRecord(files.state.ledger)).damaged).toEqual([]);
  });

  it('knows the service of a line by lines of its run that stand in another file', async () => {
    const simulator = 'simulator:.herald/world.json';
    const later = [
      anIntent({ entry: 'r-2', origin: simulator }),
      anOutcomeLine({ entry: 'r-2', origin: simulator }),
    ];
    const files = memoryWorkspace({ [LEDGER_FILE]: textOf(later), [ARCHIVE]: WHOLE });
    const { lines } = await readWholeRecord(files.state.ledger);
    expect(historyOf(lines).map((item) => item.simulator)).toEqual([simulator, simulator]);
  });
});

describe('a ledger that is there and must not be looked at', () => {
  const refuse = () =>
    Promise.reject(Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' }));
  const denied = () =>
    fileLedgerStore({
      ...memoryWorkspace({}),
      exists: () => Promise.resolve(false),
      openForReading: refuse,
    });

  it.each([
    ['a plan', () => new LedgerReader(denied(), '').read()],
    ['a history', () => readWholeRecord(denied())],
    [
      'an apply',
      () =>
        Ledger.open({
          store: denied(),
          lease: HELD_LEASE,
          clock: flowClock(NOON),
          identity: { run: 'r', who: 'x' },
          service: UNKNOWN_CLOCK_SERVICE,
        }),
    ],
  ])('is never taken for none by %s', async (_title, read) => {
    await expect(read()).rejects.toThrow('EACCES');
  });
});

it('a run that names two simulators does not make its reading endless', async () => {
  const line = (entry: string, origin: string | null) =>
    JSON.stringify({
      v: 1,
      at: '2026-06-01T12:00:00.000Z',
      run: 'r',
      ...(origin === null ? {} : { origin }),
      type: 'outcome',
      entry,
      outcome: 'done',
      live_id: '1',
      created_by: null,
      list_ids: [],
      message: '',
    });
  const text = [null, 'simulator:a', null, 'simulator:b'].map((origin, at) => line(`r-${at}`, origin));
  const files = memoryWorkspace({ [LEDGER_FILE]: `${text.join('\n')}\n` });
  expect((await new LedgerReader(files.state.ledger, 'simulator:b').read()).damaged).toEqual([]);
});
