import { describe, expect, it } from 'vitest';
import { parseLedger } from '../../src/ledger/lines.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, messages, outcomes, statuses } from '../helpers/flows.ts';
import { aScene, LEDGER_FILE, type Scene } from '../helpers/scene.ts';

const OPERATION = 'campaigns.create';

/** Seconds between one attempt and the next. */
async function waits(scene: Scene): Promise<readonly number[]> {
  const { requests } = await scene.oracle();
  const times = requests
    .filter(({ operation }) => operation === OPERATION)
    .map(({ at }) => Date.parse(at) / 1000);
  return times.slice(1).map((time, index) => Math.round(time - (times[index] ?? 0)));
}

async function ledgerOf(scene: Scene) {
  return parseLedger(await scene.files.readText(LEDGER_FILE)).lines;
}

describe('a create that is answered 429 without a word on when to come again', () => {
  it('waits longer each time, and gives up within three minutes', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    await scene.fault({ kind: 'throttle', operation: OPERATION });
    const run = await applied(scene);
    expect(outcomes(run)).toEqual(['create failed']);
    expect(messages(run)).toContain('answered 429');
    const waited = await waits(scene);
    expect(waited).toEqual([1, 2, 4, 8, 16, 30, 30, 30, 30]);
    expect(waited.reduce((sum, seconds) => sum + seconds, 0)).toBeLessThanOrEqual(180);
  });

  it('leaves one open entry at a time, none of them older than its request', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    await scene.fault({ kind: 'throttle', operation: OPERATION, nth: 1, times: 6 });
    expect(outcomes(await applied(scene))).toEqual(['create applied']);
    expect(await waits(scene)).toEqual([1, 2, 4, 8, 16, 30]);
    const lines = (await ledgerOf(scene)).filter(({ type }) => type === 'intent' || type === 'outcome');
    expect(lines.map((line) => (line.type === 'outcome' ? line.outcome : line.type))).toEqual([
      'intent',
      // Two copies more while it was fresh, each on record before it left.
      'unknown',
      'unknown',
      'not_sent',
      'intent',
      'not_sent',
      'intent',
      'not_sent',
      'intent',
      'not_sent',
      'intent',
      'done',
    ]);
    const { requests } = await scene.oracle();
    const last = requests.findLast(({ operation }) => operation === OPERATION);
    const intent = lines.findLast((line) => line.type === 'intent');
    expect(Date.parse(last?.at ?? '') - Date.parse(intent?.at ?? '')).toBeLessThan(1000);
    expect(await statuses(scene, 'campaign')).toEqual(['active']);
  });
});
