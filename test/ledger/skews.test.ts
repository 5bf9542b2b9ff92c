import { describe, expect, it } from 'vitest';
import { Ledger } from '../../src/ledger/ledger.ts';
import { LEDGER_FILE } from '../helpers/memory-workspace.ts';
import { parseLedger } from '../../src/ledger/parse.ts';
import { inView } from '../../src/ledger/origins.ts';
import { reduceLedger } from '../../src/ledger/reduce.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { anIntent, anOutcomeLine, HELD_LEASE } from '../helpers/ledger-builders.ts';
import { memoryWorkspace } from '../helpers/memory-workspace.ts';
import { NOON } from '../helpers/scene.ts';

const ACT = { operation: 'fans.label', account: 'a', account_id: '101', subject: 's', details: {} };
const LOST = { live_id: null, created_by: null, list_ids: null, message: '' };

/** What stands on record where these skews were known as an act left, left again, and came to its end. */
async function skewsOf([first, again, end]: readonly [
  number | null,
  number | null | undefined,
  number,
]): Promise<readonly unknown[]> {
  const files = memoryWorkspace({});
  let skewMs: number | null = first;
  const service = { address: 'a', serverInfo: () => ({ skewMs, sureSkewMs: skewMs, isSimulator: false }) };
  const identity = { run: 'r', who: 'tester' };
  const ledger = await Ledger.open({
    store: files.state.ledger,
    lease: HELD_LEASE,
    clock: flowClock(NOON),
    identity,
    service,
  });
  const entry = await ledger.begin(ACT);
  if (again !== undefined) {
    skewMs = again;
    await ledger.leavesAgain(entry);
  }
  skewMs = end;
  await ledger.conclude(entry, { ...LOST, outcome: 'unknown', sent_at_ms: NOON, unheard_ms: NOON });
  await ledger.close();
  return parseLedger(files.tree[LEDGER_FILE] ?? '').lines.map((line) => 'skew_ms' in line && line.skew_ms);
}

describe('the skew on record', () => {
  it('is the one that was known as the last copy left', async () => {
    expect(await skewsOf([700, 900, 500])).toEqual([700, 900, 900]);
  });

  it('is none of an earlier copy where a clock was set in between', async () => {
    expect(await skewsOf([700, null, 500])).toEqual([700, null, null]);
  });

  it('is none that was heard later: a clock may have been set until then', async () => {
    expect(await skewsOf([null, undefined, 500])).toEqual([null, null]);
  });
});

describe('what cannot be read of where the clocks stood, or of the service of a line', () => {
  const read = (members: Readonly<Record<string, unknown>>) =>
    parseLedger(`${JSON.stringify({ ...anIntent(), ...members })}\n`);

  it.each([
    ['skew_ms', '500'],
    ['skew_ms', {}],
    ['origin', null],
    ['origin', 5],
    ['origin', ''],
  ])('is unknown, and its request stays open for everybody: %s %j', (member, value) => {
    const { lines, damaged } = read({ [member]: value });
    expect(damaged).toEqual([]);
    expect(reduceLedger(inView(lines, 'https://service.example')).open).toMatchObject([{ skewMs: null }]);
  });

  it('is unknown where it is not a possible number', () => {
    const text = JSON.stringify({ ...anIntent(), skew_ms: 5 }).replace('"skew_ms":5', '"skew_ms":1e999');
    expect(parseLedger(text).lines).toMatchObject([{ skew_ms: undefined }]);
  });

  it('leaves a pause with a time that a calendar has', () => {
    const pause = anIntent({ call: 'status', live_id: '7', target: 'paused', skew_ms: -1e300 });
    const [known] = reduceLedger([pause, anOutcomeLine()]).objects.values();
    expect(() => new Date(known?.pausedAtMs ?? Number.NaN).toISOString()).not.toThrow();
  });
});
