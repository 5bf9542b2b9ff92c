import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  dieBefore,
  dieWithLateCreate,
  loseNextCreate,
  messages,
  outcomes,
  statuses,
} from '../helpers/flows.ts';
import { aScene, LEDGER_FILE, type Scene } from '../helpers/scene.ts';
import { addCopy, addCopyBefore, moveTo, sentInTheEnd } from '../helpers/stops.ts';

type Parts = Parameters<typeof declaring>[0];
const declare = (scene: Scene, parts: Parts) => Object.assign(scene.files.tree, declaring(parts));

const both = { campaigns: [campaign()], broadcasts: [broadcast()] };
const paused = { campaigns: [campaign()], broadcasts: [broadcast({ status: 'paused' })] };

/** A broadcast that goes out in less than a minute, and a create of an earlier run that may still succeed. */
async function waiting(minute = 59): Promise<Scene> {
  const scene = aScene({ files: declaring({ broadcasts: [broadcast()] }) });
  await applied(scene);
  moveTo(scene, 14, minute, 5);
  declare(scene, both);
  await dieWithLateCreate(scene);
  return scene;
}

describe('while an apply waits for a lost create of an earlier run', () => {
  it('a broadcast that the file declares paused does not go out', async () => {
    const scene = await waiting();
    declare(scene, paused);
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([0, ['pause applied', 'keep adopted']]);
    expect(messages(run)).toContain('sent while Herald waited for unconfirmed requests');
    expect(run.stderr).toMatch(/Sent while waiting: pause alice\/broadcast\/Teaser \(\d+\): applied/);
    expect(await sentInTheEnd(scene)).toEqual({});
  });

  it('each request of the run has an entry of its own in the ledger', async () => {
    const scene = await waiting();
    declare(scene, {
      ...paused,
      campaigns: [campaign(), campaign({ name: 'Second', messages: [{ text: '2' }] })],
    });
    expect((await applied(scene)).code).toBe(0);
    const entries = [
      ...(scene.files.tree[LEDGER_FILE] ?? '').matchAll(/"type":"intent".*?"entry":"([^"]+)"/g),
    ];
    const names = entries.map(([, entry]) => entry);
    expect(names.length).toBeGreaterThan(3);
    expect(new Set(names).size).toBe(names.length);
  });

  it('a duplicate does not go out', async () => {
    const scene = await waiting();
    const copy = await addCopy(scene);
    const { code, report } = await applied(scene);
    expect(code).toBe(0);
    const retired = report.outcomes.filter(({ action }) => action === 'retire');
    expect(retired).toMatchObject([{ live_id: copy, outcome: 'applied' }]);
    expect(await sentInTheEnd(scene)).toEqual({ Tomorrow: 1 });
  });

  it('a stop with a lost answer is in the report with its end', async () => {
    const scene = await waiting();
    declare(scene, paused);
    const lost = {
      operation: 'broadcasts.set-status',
      how: 'timeout',
      when: 'after_commit',
      nth: 1,
    } as const;
    await scene.fault({ kind: 'broken_answer', times: 2, ...lost });
    const run = await applied(scene);
    expect([run.code, outcomes(run)[0]]).toEqual([0, 'pause applied']);
    expect(await sentInTheEnd(scene)).toEqual({});
  });

  it('a stop that the service refuses is in the report, and fails the run', async () => {
    const scene = await waiting();
    declare(scene, paused);
    const edit = {
      account_id: '101',
      kind: 'broadcast',
      name: 'Teaser',
      set: { status: 'archived' },
    } as const;
    await scene.fault({ kind: 'change_before', operation: 'broadcasts.set-status', nth: 1, edit });
    const run = await applied(scene);
    expect([run.code, outcomes(run).filter((one) => one.startsWith('pause'))]).toEqual([1, ['pause failed']]);
  });

  it('nothing is sent early for a plan that is refused', async () => {
    const scene = await waiting();
    declare(scene, paused);
    scene.files.tree['herald.yaml'] += 'policy: { banned_words: { words: [Hey], level: deny } }\n';
    const run = await scene.herald('apply', '--yes');
    expect(run.stderr).not.toContain('Sent while waiting');
  });

  it('nothing is removed early', async () => {
    const scene = await waiting(30);
    declare(scene, { campaigns: [campaign()] });
    const run = await applied(scene, '--allow', 'prune', '--allow', 'large');
    expect(outcomes(run)).toEqual(['pause applied', 'keep adopted']);
    expect(run.stderr).not.toContain('Sent while waiting');
  });

  it('an apply that asks names the stop that waits, and the command that does it now', async () => {
    const scene = await waiting();
    declare(scene, paused);
    const run = await scene.herald('apply');
    expect(run.stderr).toMatch(
      /stop-waits: \d+ of alice\/broadcast\/Teaser is not stopped before you have answered\. To stop it now: herald broadcasts pause \d+ --account alice/,
    );
    expect(run.stderr.match(/stop-waits/g)).toHaveLength(1);
    expect(await statuses(scene, 'broadcast')).not.toContain('paused');
  });

  it('a saved plan is applied, and its stop is sent at once', async () => {
    const scene = await waiting();
    declare(scene, { broadcasts: paused.broadcasts });
    expect((await scene.herald('plan', '--out', 'plan.json')).code).toBe(0);
    const run = await scene.herald('apply', 'plan.json', '--yes');
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('Sent while waiting: pause')]);
    expect(await sentInTheEnd(scene)).toEqual({});
  });

  it('nothing is sent early for a saved plan that is stale', async () => {
    const scene = await waiting();
    declare(scene, { broadcasts: paused.broadcasts });
    expect((await scene.herald('plan', '--out', 'plan.json')).code).toBe(0);
    declare(scene, paused);
    const run = await scene.herald('apply', 'plan.json', '--yes');
    expect([run.code, run.stderr]).toEqual([5, expect.not.stringContaining('Sent while waiting')]);
  });

  it('an error says what was sent before it', async () => {
    const scene = await waiting();
    declare(scene, paused);
    const lost = { operation: 'broadcasts.list', when: 'before_commit', how: '502' } as const;
    await scene.fault({ kind: 'broken_answer', nth: 3, times: 100, ...lost });
    const run = await scene.herald('apply', '--yes', '--format', 'json');
    expect(run.code).toBe(4);
    expect(run.stdout).toMatch(
      /Before that, this run sent: pause alice\/broadcast\/Teaser \(\d+\): applied\./,
    );
  });
});

describe('a stop of an object with an unconfirmed start', () => {
  /** The start may still arrive, and the file wants the broadcast paused again. */
  async function resumedLate(): Promise<Scene> {
    const scene = aScene({ files: declaring({ broadcasts: [broadcast()] }) });
    await applied(scene);
    declare(scene, { broadcasts: paused.broadcasts });
    await applied(scene);
    moveTo(scene, 14, 30);
    declare(scene, { broadcasts: [broadcast()] });
    const late = { operation: 'broadcasts.set-status', how: 'reset', nth: 1 } as const;
    await scene.fault({ kind: 'late_commit', after_sec: 30, ...late });
    await dieBefore(scene, (line) => line.includes('"outcome"'));
    declare(scene, { broadcasts: paused.broadcasts });
    return scene;
  }

  it('waits for the start, and then stops the object', async () => {
    const scene = await resumedLate();
    const run = await applied(scene);
    expect(run.stderr).not.toContain('Sent while waiting');
    expect([run.code, outcomes(run)]).toEqual([0, ['pause applied']]);
    expect(await sentInTheEnd(scene)).toEqual({});
  });
});

describe('while an apply waits for its own lost create', () => {
  it('a duplicate of another broadcast that appears is stopped before its time', async () => {
    const scene = aScene({ files: declaring({ broadcasts: [broadcast()] }) });
    await applied(scene);
    moveTo(scene, 14, 59, 5);
    declare(scene, both);
    await loseNextCreate(scene);
    await addCopyBefore(scene, 3);
    const run = await applied(scene);
    expect([run.code, outcomes(run).toSorted()]).toEqual([0, ['create adopted', 'retire applied']]);
    expect(await sentInTheEnd(scene)).toEqual({ Tomorrow: 1 });
  });
});
