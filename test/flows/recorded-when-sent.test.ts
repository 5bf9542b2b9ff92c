import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseLedger } from '../../src/ledger/parse.ts';
import { altered, type Alter } from '../helpers/altered.ts';
import { broadcast, declaring } from '../helpers/declare-live.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { applied, messages, outcomes } from '../helpers/flows.ts';
import { LEDGER_FILE, NOON } from '../helpers/scene.ts';

afterEach(() => vi.unstubAllGlobals());

const NAMES = ['One', 'Two', 'Three', 'Four', 'Five'];
const FILES = declaring({
  broadcasts: NAMES.map((name) => broadcast({ name, messages: [{ text: name }] })),
});

/** Five broadcasts of one account at a fifth of the rate: each create waits five seconds for its turn. */
function fiveBroadcasts(alter: Alter, clock = flowClock(NOON)) {
  const service = altered(alter, { clock, files: FILES });
  const { tree } = service.scene.files;
  tree['herald.yaml'] = String(tree['herald.yaml']).replace('service: {', 'service: { rate_share: 0.2,');
  return service;
}

describe('a create of a run that is killed before its answer', () => {
  it.each([
    { nth: 2, lateSec: 60, lagSec: 0 },
    // The longest that a request may take, and lists that show it late.
    { nth: 2, lateSec: 64, lagSec: 9 },
    { nth: 5, lateSec: 64, lagSec: 9 },
  ])(
    'number $nth of five, is carried out $lateSec s later and not created again by the next run',
    async ({ nth, lateSec, lagSec }) => {
      const clock = flowClock(NOON);
      let creates = 0;
      let kill = () => undefined as void;
      let isKilled = false;
      const { scene, simulator, world } = fiveBroadcasts(async (request, answer) => {
        creates += request.method === 'POST' ? 1 : 0;
        if (request.method !== 'POST' || creates !== nth) return answer();
        kill();
        isKilled = true;
        await clock.sleep(lateSec * 1000);
        await answer();
        return new Promise(() => undefined);
      }, clock);
      simulator.control.addFault({ kind: 'list_lag', lag_sec: lagSec });
      ({ kill } = scene.start('apply', '--yes'));
      while (!isKilled) await new Promise((resolve) => setImmediate(resolve));
      const next = await applied(scene);
      expect(next.code, messages(next)).toBe(0);
      const live = Object.values(world.accounts['101']?.broadcasts ?? {}).map(({ live: { name } }) => name);
      expect(live.toSorted()).toEqual(NAMES.toSorted());
    },
  );
});

it('each copy of a create is on record with the second in which it leaves', async () => {
  const { scene, simulator } = fiveBroadcasts((_request, answer) => answer());
  simulator.control.addFault({ kind: 'throttle', operation: 'broadcasts.create', nth: 2, times: 1 });
  expect((await applied(scene)).code).toBe(0);
  const { requests } = simulator.control.oracle();
  const left = requests.filter(({ operation }) => operation === 'broadcasts.create').map(({ at }) => at);
  const recorded = parseLedger(scene.files.tree[LEDGER_FILE] ?? '').lines.flatMap((line) =>
    line.type === 'intent' || (line.type === 'outcome' && line.message === 'sent again')
      ? [new Date(line.sent_at_ms ?? 0).toISOString()]
      : [],
  );
  expect(left).toHaveLength(6);
  expect(recorded).toEqual(left);
});

it('a create that takes more than 5 s to be recorded is not sent, and the entry says so', async () => {
  const { scene, simulator } = fiveBroadcasts((_request, answer) => answer());
  scene.files.onWrite = (_path, text) => {
    if (/"type":"intent"|sent again/.test(text)) scene.clock.move(6_000);
    return 'done';
  };
  const run = await applied(scene);
  expect([run.code, new Set(outcomes(run))]).toEqual([1, new Set(['create failed'])]);
  expect(messages(run)).toContain('it could not be recorded, checked and sent within 5 s');
  const { requests } = simulator.control.oracle();
  expect(requests.filter(({ operation }) => operation === 'broadcasts.create')).toEqual([]);
  const { lines } = parseLedger(scene.files.tree[LEDGER_FILE] ?? '');
  const last = lines.findLast((line) => line.type === 'outcome');
  expect(last).toMatchObject({ outcome: 'not_sent' });
});
