import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { heraldHere } from '../helpers/herald-here.ts';
import { builtHerald, type RealHerald } from '../helpers/real-herald.ts';
import { WORKSPACE } from '../helpers/scene.ts';
import { serveWorld, type Served } from '../helpers/served.ts';

const SETTLE_SEC = 2;
const FILES = {
  'herald.yaml': WORKSPACE.replace('world.json }', `world.json, settle_sec: ${SETTLE_SEC} }`),
  ...declaring({ campaigns: [campaign()] }),
};
const APPLY = ['apply', '--yes', '--format', 'json'];

let herald: RealHerald;
beforeAll(() => {
  herald = builtHerald();
});
afterAll(() => herald.dispose());

async function withService(act: (served: Served, directory: string) => Promise<void>): Promise<void> {
  const served = await serveWorld();
  try {
    await act(served, herald.workspace(FILES));
  } finally {
    await served.close();
  }
}

const live = ({ simulator }: Served) =>
  Object.values(simulator.world.accounts['101']?.campaigns ?? {}).map(({ live: { status } }) => status);
const posts = ({ simulator }: Served) =>
  simulator.world.requests
    .filter(({ operation }) => operation === 'campaigns.create')
    .map(({ at }) => Date.parse(at));

/** Whether the create was sent only once, or again after the window of the first one. */
function expectSent(times: number, served: Served): void {
  const [first = 0, second = Infinity] = posts(served);
  expect(posts(served).length).toBe(times);
  expect(second - first).toBeGreaterThanOrEqual(SETTLE_SEC * 1000);
}

const KILLED: readonly (readonly [string, FaultInput, number])[] = [
  ['at once', { kind: 'slow', operation: 'campaigns.create', delay_ms: 20_000, nth: 1 }, 1],
  [
    'a second later',
    { kind: 'late_commit', operation: 'campaigns.create', how: 'timeout', after_sec: 1, nth: 1 },
    1,
  ],
  [
    'never',
    { kind: 'broken_answer', operation: 'campaigns.create', how: 'timeout', when: 'before_commit', nth: 1 },
    2,
  ],
];

describe('a SIGKILL of the command line right after its create was sent', () => {
  it.concurrent.each(KILLED)(
    'with the commit %s: the next run, started at once, ends with one object',
    (_title, fault, sent) =>
      withService(async (served, directory) => {
        served.simulator.control.addFault(fault);
        const run = herald.start(directory, APPLY, served.env);
        await served.arrival('campaigns.create');
        run.kill('SIGKILL');
        expect((await run.ran).signal).toBe('SIGKILL');
        const after = await heraldHere(directory, { args: APPLY, env: served.env });
        expect(after.code, after.stderr).toBe(0);
        expectSent(sent, served);
        expect(live(served)).toEqual(['active']);
        const args = ['plan', '--detailed-exitcode'];
        const plan = await heraldHere(directory, { args, env: served.env });
        expect(plan.code, plan.stdout).toBe(0);
      }),
  );
});
