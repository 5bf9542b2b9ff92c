import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { acts, errorOf, SEND } from '../helpers/chats.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied, dieBefore, documentOf, planned } from '../helpers/flows.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { aScene, LEDGER_FILE, NOON, WORKSPACE, type Scene } from '../helpers/scene.ts';

const DAY_MS = 86_400_000;
const WITHOUT_ALICE = WORKSPACE.split('\n')
  .filter((line) => !line.includes('alice:'))
  .join('\n');
const ENTRY = 'run1-1';
const BECAUSE = ['--because', 'sold; bob saw it in the service'];
const LABEL = ['fans', 'label', '101001', '--account', 'alice', '--name', 'Tim', '--yes'];
const CLOSE = ['ledger', 'close', ENTRY, ...BECAUSE];

const ledgerOf = (scene: Scene) => scene.files.tree[LEDGER_FILE] ?? '';
const itemShape = z.object({ schema: z.literal('herald/item/1'), item: z.record(z.string(), z.string()) });

/** A create on alice with a process that died before it heard anything, a day ago. */
async function withOpenCreate(): Promise<Scene> {
  const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
  await dieBefore(scene, (line) => line.includes('"outcome"'));
  scene.clock.move(DAY_MS);
  return scene;
}

/** The same of something that is not a change. */
async function withOpenAct(command: readonly string[]): Promise<Scene> {
  const scene = aScene();
  await dieBefore(scene, (line) => line.includes('"outcome"'), command);
  scene.clock.move(DAY_MS);
  expect(acts(scene).length).toBe(1);
  return scene;
}

/** The same as the first, and alice has left the workspace. */
async function afterAliceLeft(): Promise<Scene> {
  const scene = await withOpenCreate();
  scene.files.tree['herald.yaml'] = WITHOUT_ALICE;
  Object.assign(scene.files.tree, declaring({ campaigns: [campaign()] }, ['bob']));
  return scene;
}

describe('herald ledger close', () => {
  it('ends the waiting for an account that has left, with who and why, and deletes nothing', async () => {
    const scene = await afterAliceLeft();
    expect((await applied(scene)).code).toBe(0);
    const check = await scene.herald('ledger', 'check');
    expect([check.code, check.stdout.includes(`herald ledger close ${ENTRY} --because`)]).toEqual([1, true]);
    const before = ledgerOf(scene);

    const ran = await scene.herald(...CLOSE, '--yes', '--format', 'json');
    expect(ran.code, ran.stderr).toBe(0);
    expect(documentOf(ran, itemShape).item).toMatchObject({
      entry: ENTRY,
      what: 'the create of alice/campaign/Welcome',
      closed_by: 'tester',
      because: 'sold; bob saw it in the service',
    });
    const added = ledgerOf(scene).slice(before.length).trimEnd().split('\n');
    expect(ledgerOf(scene).startsWith(before)).toBe(true);
    expect(added.map((line) => JSON.parse(line) as object)).toMatchObject([
      { type: 'acknowledged', entry: ENTRY, who: 'tester', because: 'sold; bob saw it in the service' },
    ]);
    expect((await scene.herald('ledger', 'check')).code).toBe(0);
    expect((await planned(scene)).plan.diagnostics).toEqual([]);
    const history = await scene.herald(
      'history',
      'alice/*/*',
      '--columns',
      'outcome,message',
      '--format',
      'csv',
    );
    expect(history.stdout).toContain('acknowledged,"sold; bob saw it in the service"');
  });

  it('says that the outcome stays unknown', async () => {
    const scene = await afterAliceLeft();
    const { stdout } = await scene.herald(...CLOSE, '--yes');
    expect(stdout).toContain('Closed: the create of alice/campaign/Welcome, sent at 2026-06-01T12:00:00');
    expect(stdout).toContain('Its outcome stays unknown.');
  });

  it('has no more to close a second time', async () => {
    const scene = await afterAliceLeft();
    await scene.herald(...CLOSE, '--yes');
    const text = ledgerOf(scene);
    const again = await scene.herald(...CLOSE, '--yes', '--format', 'json');
    expect([again.code, errorOf(again).code, ledgerOf(scene) === text]).toEqual([1, 'unknown-entry', true]);
  });

  it('asks first, and a no or a missing terminal writes nothing', async () => {
    const scene = await afterAliceLeft();
    const text = ledgerOf(scene);
    const silent = await scene.herald(...CLOSE, '--format', 'json');
    expect([silent.code, errorOf(silent).code]).toEqual([1, 'needs-yes']);
    const asked: string[] = [];
    scene.answer = (question) => asked.push(question) === 0;
    expect((await scene.herald(...CLOSE)).code).toBe(1);
    expect(asked.join()).toContain('Close the create of alice/campaign/Welcome, sent at');
    expect(asked.join()).toMatch(/ Type yes to close it:$/);
    expect(ledgerOf(scene)).toBe(text);
    scene.answer = () => true;
    expect((await scene.herald(...CLOSE)).code).toBe(0);
  });

  it('writes nothing for what ended while it was asked', async () => {
    const scene = await afterAliceLeft();
    const end = `{"v":1,"at":"2026-06-01T12:00:09.000Z","run":"x","type":"outcome","entry":"${ENTRY}","outcome":"absent","live_id":null,"created_by":null,"list_ids":null,"message":""}\n`;
    scene.answer = () => {
      scene.files.tree[LEDGER_FILE] = ledgerOf(scene) + end;
      return true;
    };
    const ran = await scene.herald(...CLOSE, '--format', 'json');
    expect([ran.code, errorOf(ran).code]).toEqual([1, 'unknown-entry']);
    expect(ledgerOf(scene)).not.toContain('acknowledged');
  });

  it.each([
    ['an apply settles it', ['campaign'], 'Run herald apply'],
    ['a command of its own does', ['label'], 'herald fans label'],
  ])('refuses what is about an account of the workspace: %s', async (_, [what], hint) => {
    const scene = what === 'label' ? await withOpenAct(LABEL) : await withOpenCreate();
    const text = ledgerOf(scene);
    const ran = await scene.herald(...CLOSE, '--yes');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('account alice is in herald.yaml');
    expect(ran.stderr).toContain(hint);
    expect(ledgerOf(scene)).toBe(text);
  });

  it('ends a chat message of the workspace: no run finds out about it, and the next one is not held up', async () => {
    const scene = await withOpenAct([...SEND, '--text', 'Hi', '--yes']);
    const next = [...SEND, '--text', 'Ho', '--yes'];
    expect((await scene.herald(...next)).code).toBe(3);
    expect((await scene.herald('ledger', 'check')).stdout).toContain('Once you know what happened');
    expect((await scene.herald(...CLOSE, '--yes')).code).toBe(0);
    expect((await scene.herald('ledger', 'check')).code).toBe(0);
    expect((await scene.herald(...next)).code).toBe(0);
  });

  it('knows an account of the workspace also under another alias, or by its label', async () => {
    const scene = await withOpenCreate();
    const username = await scene.service((_, world) => world.accounts['101']?.live.username ?? '');
    for (const account of ['{ id: "101" }', `{ username: ${username} }`]) {
      scene.files.tree['herald.yaml'] = WORKSPACE.replace(/alice: .*/, `renamed: ${account}`);
      const ran = await scene.herald(...CLOSE, '--yes', '--format', 'json');
      expect([ran.code, errorOf(ran).code], account).toEqual([1, 'settled-by-a-run']);
    }
  });

  // ACCOUNT-2
  it.each([
    [
      'herald api',
      [
        'api',
        'payouts.request',
        '--param',
        'platform=platform_a',
        '--param',
        'platform_account_id=9101',
        '--body',
        'body.json',
      ],
    ],
    ['herald payouts request', ['payouts', 'request', '--account', 'alice', '--amount', '20']],
  ])('knows the account of a payout by its id on the platform (%s): a run finds out', async (_, request) => {
    const scene = aScene();
    scene.files.tree['body.json'] = JSON.stringify({ withdrawal_amount: 20 });
    scene.files.tree['herald.yaml'] = WORKSPACE.replace(
      /alice: .*/,
      'alice: { platform_account_id: "9101" }',
    );
    await dieBefore(scene, (line) => line.includes('"outcome"'), [...request, '--yes']);
    scene.files.tree['herald.yaml'] = WORKSPACE;
    scene.clock.move(DAY_MS);
    const ran = await scene.herald(...CLOSE, '--yes', '--format', 'json');
    expect([ran.code, errorOf(ran)]).toMatchObject([
      1,
      { code: 'settled-by-a-run', message: expect.stringContaining('account alice') as string },
    ]);
    scene.files.tree['herald.yaml'] = WITHOUT_ALICE;
    expect((await scene.herald(...CLOSE, '--yes')).code).toBe(0);
  });

  it('works next to an account on the second platform', async () => {
    const scene = await withOpenCreate();
    const second = 'carol: { id: "301", platform: secondary }';
    scene.files.tree['herald.yaml'] = WORKSPACE.replace(/alice: .*/, (alice) => `${alice}\n  ${second}`);
    const ran = await scene.herald(...CLOSE, '--yes', '--format', 'json');
    expect([ran.code, errorOf(ran).code]).toEqual([1, 'settled-by-a-run']);
    scene.files.tree['herald.yaml'] = WORKSPACE.replace(/alice: .*/, second);
    expect((await scene.herald(...CLOSE, '--yes')).code).toBe(0);
  });

  it('refuses what may still be under way', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    await dieBefore(scene, (line) => line.includes('"outcome"'));
    scene.files.tree['herald.yaml'] = WITHOUT_ALICE;
    const ran = await scene.herald(...CLOSE, '--yes', '--format', 'json');
    expect([ran.code, errorOf(ran).code]).toEqual([1, 'under-way']);
  });

  it.each([-1, 1].map((hours) => hours * 3_600_000))(
    "by the service's clock, whatever this machine's says: set by %i ms",
    async (ms) => {
      const flow = flowClock(NOON);
      let aheadMs = 0;
      const files = declaring({ campaigns: [campaign()] });
      const scene = aScene({ files, clock: { ...flow, now: () => flow.now() + aheadMs } });
      await dieBefore(scene, (line) => line.includes('"outcome"'));
      scene.files.tree['herald.yaml'] = WITHOUT_ALICE;
      await scene.service((_, world) => (world.clockOffsetMs -= ms));
      aheadMs = ms;
      scene.clock.move(70_000);
      const early = await scene.herald(...CLOSE, '--yes', '--format', 'json');
      expect([early.code, errorOf(early).code]).toEqual([1, 'under-way']);
      scene.clock.move(10_000);
      expect((await scene.herald(...CLOSE, '--yes')).code).toBe(0);
    },
  );

  it('waits for a whole window if only the service says that it is over', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    await dieBefore(scene, (line) => line.includes('"outcome"'));
    scene.files.tree['herald.yaml'] = WITHOUT_ALICE;
    scene.clock.move(11_000);
    // Another server answers now, an hour ahead.
    await scene.service((_, world) => (world.clockOffsetMs += 3_600_000));
    const beganMs = scene.clock.monotonicMs();
    const ran = await scene.herald(...CLOSE, '--yes');
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringMatching(/Waiting \d+ s/)]);
    expect(scene.clock.monotonicMs() - beganMs).toBeGreaterThan(70_000);
  });

  it('waits for a day where the entry does not say where the clock of the service stood', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    await dieBefore(scene, (line) => line.includes('"outcome"'));
    scene.files.tree['herald.yaml'] = WITHOUT_ALICE;
    scene.files.tree[LEDGER_FILE] = ledgerOf(scene).replace(/,"skew_ms":\d+/, '');
    scene.clock.move(DAY_MS / 2);
    const early = await scene.herald(...CLOSE, '--yes', '--format', 'json');
    expect([errorOf(early).code, errorOf(early).hint]).toEqual([
      'under-way',
      expect.stringContaining('one day after it was sent'),
    ]);
    scene.clock.move(DAY_MS / 2);
    expect((await scene.herald(...CLOSE, '--yes')).code).toBe(0);
  });

  it('refuses while no one knows how old it is, as the service does not answer', async () => {
    const scene = await afterAliceLeft();
    await scene.fault({ kind: 'connection_refused' });
    const ran = await scene.herald(...CLOSE, '--yes', '--format', 'json');
    expect([ran.code, errorOf(ran).code]).toEqual([1, 'under-way']);
    expect(errorOf(ran).hint).toContain('did not answer');
  });

  it('ends a recall of the workspace, too: no run finds out about it', async () => {
    const scene = aScene({ files: declaring({ broadcasts: [broadcast()] }) });
    const { report } = await applied(scene);
    const unsend = ['broadcasts', 'unsend', report.outcomes[0]?.live_id ?? '', '--account', 'alice', '--yes'];
    await dieBefore(scene, (line) => line.includes('"outcome"'), unsend);
    scene.clock.move(DAY_MS);
    const check = await scene.herald('ledger', 'check', '--format', 'json');
    expect(check.code).toBe(1);
    const { open } = documentOf(check, z.object({ open: z.array(z.object({ entry: z.string() })) }));
    const ran = await scene.herald('ledger', 'close', open[0]?.entry ?? '', ...BECAUSE, '--yes');
    expect(ran.code, ran.stderr).toBe(0);
    expect((await scene.herald('ledger', 'check')).code).toBe(0);
  });

  it('wants a reason, and a name that is there', async () => {
    const scene = await afterAliceLeft();
    const text = ledgerOf(scene);
    expect((await scene.herald('ledger', 'close', ENTRY, '--yes')).stderr).toContain('--because');
    for (const because of ['  ', '\u200b\u0000', 'x'.repeat(501)]) {
      const ran = await scene.herald(
        'ledger',
        'close',
        ENTRY,
        '--because',
        because,
        '--yes',
        '--format',
        'json',
      );
      expect([ran.code, errorOf(ran).code]).toEqual([1, 'bad-flag']);
    }
    const lost = await scene.herald('ledger', 'close', 'run1-9', ...BECAUSE, '--yes', '--format', 'json');
    expect(errorOf(lost).code).toBe('unknown-entry');
    expect(ledgerOf(scene)).toBe(text);
  });

  it('does not wait for the lock', async () => {
    const scene = await afterAliceLeft();
    const { release } = await scene.files.state.leases.take();
    expect(errorOf(await scene.herald(...CLOSE, '--yes', '--format', 'json')).code).toBe('locked');
    await release();
  });
});

describe('an account that has left the workspace', () => {
  it('is not read, so what it made is not called absent; once it is back, that is taken over', async () => {
    const scene = await afterAliceLeft();
    const away = await applied(scene);
    expect(away.code).toBe(0);
    expect(away.stderr).not.toContain('did not succeed');
    expect((await planned(scene)).plan.diagnostics.map(({ code }) => code)).toEqual(['open-entry']);
    scene.files.tree['herald.yaml'] = WORKSPACE;
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign()] }, ['alice', 'bob']));
    const { report } = await applied(scene);
    expect(report.summary).toMatchObject({ adopted: 1, unchanged: 1 });
  });

  it('is read where only its label is stated and nothing is declared for it any more', async () => {
    const scene = await withOpenCreate();
    const username = await scene.service((_, world) => world.accounts['101']?.live.username ?? '');
    scene.files.tree['herald.yaml'] = WORKSPACE.replace(/alice: .*/, `alice: { username: ${username} }`);
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign()] }, ['bob']));
    expect((await applied(scene)).code).toBe(0);
    expect((await scene.herald('ledger', 'check')).code).toBe(0);
    const history = await scene.herald('history', 'alice/*/*', '--columns', 'outcome', '--format', 'csv');
    expect(history.stdout).toContain('adopted');
  });
});
