import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  createsSent,
  dieBefore,
  editLive,
  messages,
  outcomes,
  statuses,
  writesSent,
  expectEnd,
} from '../helpers/flows.ts';
import { computeSeal } from '../../src/plan/saved.ts';
import { madeOnce } from '../helpers/made-once.ts';
import { aScene, WORKSPACE, type Scene, type Ran } from '../helpers/scene.ts';
import { PlanKey } from '../../src/cli/saved-plan.ts';

const HOUR = 3_600_000;

/** What someone does to a saved plan on its way to the apply. */
function editPlan(scene: Scene, change: (plan: Record<string, unknown>) => unknown): void {
  const plan = documentIn(scene);
  change(plan);
  scene.files.tree['plan.json'] = JSON.stringify(plan, null, 2);
}

/** The same, with a digest that matches. */
function sealAgain(scene: Scene, change: (plan: Record<string, unknown>) => unknown): void {
  editPlan(scene, (plan) => {
    change(plan);
    plan['digest'] = computeSeal(plan);
  });
}

const documentIn = ({ files }: Scene) => JSON.parse(files.tree['plan.json'] ?? '') as Record<string, unknown>;
const digestIn = (scene: Scene) => String(documentIn(scene)['digest']);

const PRUNE = ['--allow', 'prune', '--allow', 'large'] as const;
const REVIEWED = ['--reviewed', 'plan.json'] as const;
const WELCOME = campaign();
const OTHER = campaign({ name: 'Other', messages: [{ text: 'Something else' }] });

type Resources = Parameters<typeof declaring>[0];
const declare = (scene: Scene, resources: Resources) => Object.assign(scene.files.tree, declaring(resources));

/** A workspace of which everything in `before` is live, and a saved plan of `after`. */
const saved = madeOnce(
  async (
    after: Resources = { campaigns: [WELCOME], broadcasts: [broadcast()] },
    before: Resources | null = null,
    ...flags: string[]
  ) => {
    const scene = aScene({ files: declaring(before ?? after) });
    if (before !== null) expect((await applied(scene)).code).toBe(0);
    declare(scene, after);
    const ran = await scene.herald('plan', '--out', 'plan.json', ...flags);
    expect(ran.stderr).toContain('Plan written to plan.json');
    expectEnd(ran, 0, `herald apply plan.json --expect ${digestIn(scene)}\n`);
    return scene;
  },
);

describe('a saved plan', () => {
  it('names its service, and is refused for another one before anything is asked of that', async () => {
    const scene = await saved();
    const service = { origin: 'simulator:.herald/world.json', source: 'herald.yaml', simulator: true };
    expect(documentIn(scene)).toMatchObject({ plan: { service } });
    scene.env['HERALD_BASE_URL'] = 'https://prod.example';
    scene.env['HERALD_API_KEY'] = 'key';
    const ran = await scene.herald('apply', 'plan.json', '--yes');
    expect(ran.code).toBe(5);
    expect(ran.stderr).toBe(
      'error: The plan is stale, so it is not carried out: this plan was made for simulator ' +
        '.herald/world.json, and this run works with https://prod.example (from HERALD_BASE_URL).\n' +
        'Make a new plan and review it: herald plan --out plan.json\n',
    );
  });

  it('is applied exactly, and is stale after that', async () => {
    const scene = await saved();
    const run = await applied(scene, 'plan.json');
    expect([run.code, outcomes(run)]).toEqual([0, ['create applied', 'create applied']]);
    const again = await scene.herald('apply', 'plan.json', '--yes');
    expectEnd(
      again,
      5,
      'alice/campaign/Welcome has changed on the service since, or its time has come: a new plan says unchanged.\n',
    );
    expect(await createsSent(scene)).toBe(2);
  });

  it.each<[string, (scene: Scene) => unknown, string]>([
    [
      'the files were changed',
      (scene) => declare(scene, { campaigns: [WELCOME] }),
      'the files have changed since',
    ],
    [
      'an object of a touched name appeared',
      (scene) => scene.service((control) => control.seedCampaign('101', { name: 'Welcome' })),
      'alice/campaign/Welcome has changed on the service since',
    ],
    ['a day has passed', ({ clock }) => clock.move(25 * HOUR), 'longer ago than --max-plan-age allows'],
    [
      'a schedule came too near',
      ({ clock }) => clock.move(3 * HOUR - 60_000),
      'a new plan says missed. Its time Mon 1 Jun 2026 15:00 UTC has passed, or is less than 5 minutes away.\n',
    ],
    [
      'someone gave it allowances by hand',
      async (scene) => {
        const hand = { name: 'Hand', messages: [{ text: 'Mine' }] };
        await scene.service((control) => control.seedCampaign('101', hand));
        declare(scene, { campaigns: [campaign({ name: 'Hand' })] });
        await scene.herald('plan', '--out', 'plan.json');
        sealAgain(scene, (plan) => (plan['allow'] = ['adopt']));
      },
      'alice/campaign/Hand',
    ],
  ])('is refused when %s, and nothing is written', async (_title, spoil, says) => {
    const scene = await saved();
    await spoil(scene);
    const sent = await writesSent(scene);
    expectEnd(await scene.herald('apply', 'plan.json', '--yes'), 5, says);
    expect(await writesSent(scene)).toEqual(sent);
  });

  it('carries its own allowances and takes no others', async () => {
    const scene = aScene({ files: declaring({ campaigns: [WELCOME] }) });
    await scene.service((control) =>
      control.seedCampaign('101', { name: 'Welcome', messages: [{ text: 'Mine' }] }),
    );
    expect((await scene.herald('plan', '--out', 'plan.json', '--allow', 'adopt')).code).toBe(0);
    expect((await scene.herald('apply', 'plan.json', '--yes', '--allow', 'adopt')).code).toBe(1);
    expect((await applied(scene, 'plan.json')).code).toBe(0);
    expect(await statuses(scene, 'campaign')).toEqual(['paused', 'active']);
  });
});

describe('the digest of a saved plan', () => {
  it.each<[string, (plan: Record<string, unknown>) => unknown]>([
    [
      'a reason',
      (plan) => (plan['plan'] as { changes: { reasons: string[] }[] }).changes[0]?.reasons.push('Approved.'),
    ],
    ['its digest', (plan) => (plan['digest'] = `sha256:${'0'.repeat(64)}`)],
  ])('refuses a plan of which someone has changed %s', async (_title, edit) => {
    const scene = await saved();
    editPlan(scene, edit);
    const ran = await scene.herald('apply', 'plan.json', '--yes');
    expect(ran.code).toBe(5);
    expect(ran.stderr).toBe(
      'error: plan.json was changed after Herald wrote it: it does not match its digest. Nothing was changed.\n' +
        'Make a new plan and review it: herald plan --out plan.json\n',
    );
    expect(await createsSent(scene)).toBe(0);
  });

  it('is what --expect asks for, whole or by its first 12 characters', async () => {
    const [, hex = ''] = digestIn(await saved()).split(':');
    for (const spelled of [hex, `sha256:${hex.slice(0, 12).toUpperCase()}`]) {
      const scene = await saved();
      expect((await applied(scene, 'plan.json', '--expect', spelled)).code).toBe(0);
      expect(await createsSent(scene)).toBe(2);
    }
  });

  it('refuses another plan than the expected one, also one that is sealed again', async () => {
    const scene = await saved();
    const reviewed = digestIn(scene);
    sealAgain(scene, (plan) => (plan['created_at'] = '2026-06-01T12:00:01.000Z'));
    const ran = await scene.herald('apply', 'plan.json', '--yes', '--expect', reviewed);
    expect(ran.code).toBe(5);
    expect(ran.stderr).toBe(
      `error: plan.json has the digest ${digestIn(scene)}, not ${reviewed}. Nothing was changed.\n` +
        'Make a new plan and review it: herald plan --out plan.json\n',
    );
    expect(await createsSent(scene)).toBe(0);
  });

  it.each(['', 'sha256:0123456789a', '0123456789ag'])('cannot be expected as %j', async (text) => {
    const scene = await saved();
    const ran = await scene.herald('apply', 'plan.json', '--yes', '--expect', text);
    expectEnd(ran, 1, 'at least its first 12 hex characters');
    expect(await createsSent(scene)).toBe(0);
  });
});

const KEY = 'a-key-of-thirty-two-characters!!';
const FORMS = [{ form: ['plan.json'] }, { form: ['--reviewed', 'plan.json'] }];

/** The same by a run that has a key. */
const planned = madeOnce(async (...flags: string[]) => {
  const scene = aScene({ files: declaring({ campaigns: [WELCOME] }) });
  scene.env['HERALD_PLAN_KEY'] = KEY;
  expectEnd(await scene.herald('plan', '--out', 'plan.json', ...flags), 0);
  return scene;
});

/** Nothing was sent, and the key is in no output. */
async function expectRefused(scene: Scene, ran: Ran, code: number, says: string): Promise<void> {
  expect(ran.stderr).toContain(says);
  expect(ran.code).toBe(code);
  expect(`${ran.stdout}${ran.stderr}`).not.toContain(KEY);
  expect(await createsSent(scene)).toBe(0);
}

describe.each(FORMS)('a signed plan, applied with $form', ({ form }) => {
  it('is applied where the key is', async () => {
    const scene = await planned('--sign');
    expect(documentIn(scene)['signature']).toMatch(/^hmac-sha256:[0-9a-f]{64}$/);
    expect(scene.files.tree['plan.json']).not.toContain(KEY);
    expect((await applied(scene, ...form)).code).toBe(0);
  });

  const other = new PlanKey('another-key-of-32-characters-...');
  it.each<[string, (plan: Record<string, unknown>) => unknown]>([
    ['is not signed', (plan) => delete plan['signature']],
    ['was signed with another key', (plan) => (plan['signature'] = other.sign(computeSeal(plan)))],
    ['was changed and sealed again', (plan) => (plan['allow'] = ['adopt'])],
  ])('is refused if it %s', async (_title, change) => {
    const scene = await planned('--sign');
    sealAgain(scene, change);
    const ran = await scene.herald('apply', '--yes', ...form);
    await expectRefused(scene, ran, 5, 'plan.json is not signed with the key in HERALD_PLAN_KEY');
    expect(ran.stderr).toContain('Make a new plan and review it: herald plan --out plan.json --sign\n');
  });

  it.each([
    ['is empty, although it has no signature', [], ' \n', 'should hold a secret, but it is empty.'],
    [
      'is too short to protect it',
      ['--sign'],
      'fifteen-bytes!!',
      'has 15 bytes, and a key needs at least 16.',
    ],
  ])('is refused if the key %s', async (_title, flags, key, says) => {
    const scene = await planned(...flags);
    scene.env['HERALD_PLAN_KEY'] = key;
    const ran = await scene.herald('apply', '--yes', ...form);
    await expectRefused(scene, ran, 1, `HERALD_PLAN_KEY ${says}`);
    expect(ran.stderr).not.toContain('fifteen');
  });
});

it.each<[string, string | null, string[], string]>([
  ['without a key', null, ['--out=plan.json'], '--sign needs a key in HERALD_PLAN_KEY.'],
  ['with a short key', 'short', ['--out=plan.json'], 'HERALD_PLAN_KEY has 5 bytes'],
  ['without a file', KEY, [], '--sign signs a saved plan, but --out is missing.'],
])('plan --sign is refused %s', async (_title, key, flags, says) => {
  const scene = aScene({ files: declaring({ campaigns: [WELCOME] }) });
  if (key !== null) scene.env['HERALD_PLAN_KEY'] = key;
  const ran = await scene.herald('plan', '--sign', ...flags);
  expect([ran.code, ran.stdout]).toEqual([1, '']);
  expect(ran.stderr).toContain(says);
  expect(scene.files.tree['plan.json']).toBeUndefined();
});

it.each<{ flags: string[]; says: string }>([
  { flags: ['plan.json'], says: 'Two plans given.' },
  { flags: ['--target', 'alice'], says: 'A saved plan has its own targets.' },
  { flags: ['--expect', 'sha256:000000000000'], says: 'plan.json has the digest sha256:' },
])('apply --reviewed refuses $flags next to it', async ({ flags, says }) => {
  const scene = await saved({ campaigns: [WELCOME] });
  const ran = await scene.herald('apply', '--yes', '--reviewed', 'plan.json', ...flags);
  expect(ran.stderr).toContain(says);
  expect(await createsSent(scene)).toBe(0);
});

describe('apply --reviewed', () => {
  it('may be repeated: what is done is reported, and nothing is sent', async () => {
    const scene = await saved();
    await applied(scene, ...REVIEWED);
    const sent = await writesSent(scene);
    const again = await applied(scene, ...REVIEWED);
    expect(again.code).toBe(0);
    expect(again.report.already_done?.map(({ address, action }) => [address.name, action])).toEqual([
      ['Teaser', 'create'],
      ['Welcome', 'create'],
    ]);
    expect(await writesSent(scene)).toEqual(sent);
    const told = await scene.herald('apply', '--yes', ...REVIEWED);
    expect(told.stdout).toContain('= already done create');
    expect(told.stdout).toContain('alice/campaign/Welcome');
  });

  it('survives an unrelated commit, of which it carries out nothing', async () => {
    const scene = await saved({ campaigns: [WELCOME] });
    declare(scene, { campaigns: [WELCOME, OTHER] });
    const run = await applied(scene, ...REVIEWED);
    expect([run.code, outcomes(run)]).toEqual([5, ['blocked not_attempted', 'create applied']]);
    expect(messages(run)).toContain('Not reviewed: Herald would create it, and no reviewed plan changes it.');
    expect(await createsSent(scene)).toBe(1);
  });

  const other = { messages: [{ text: 'Another text' }] };
  it.each<[string, (scene: Scene) => unknown]>([
    ['another text', (scene) => declare(scene, { campaigns: [campaign(other)] })],
    ['a live object that someone edited', (scene) => editLive(scene, 'campaign', other)],
    ['a live object that someone paused', (scene) => editLive(scene, 'campaign', { status: 'paused' })],
    [
      'another object of the name',
      (scene) => scene.service((control) => control.seedCampaign('101', { name: 'Welcome', ...other })),
    ],
  ])('leaves alone what is not as reviewed: %s', async (_title, change) => {
    const next = campaign({ messages: [{ text: 'New' }] });
    const scene = await saved({ campaigns: [next] }, { campaigns: [WELCOME] });
    await change(scene);
    const sent = await writesSent(scene);
    const run = await applied(scene, ...REVIEWED);
    expect(run.code).toBe(5);
    expect(outcomes(run)).toContain('blocked not_attempted');
    expect(await writesSent(scene)).toEqual(sent);
  });

  it('shows what is not as reviewed, also the value of a variable', async () => {
    const saying = (text: string) => ({ campaigns: [campaign({ messages: [{ text }] })] });
    const scene = await saved(saying('Hey, {{first_name}} is here'));
    scene.files.tree['herald.yaml'] = WORKSPACE.replace('Alice', 'Alina');
    const named = await scene.herald('apply', '--yes', ...REVIEWED);
    expect(named.stderr).toContain('{{first_name}}: "Alina" on alice');
    declare(scene, saying('As edited'));
    const ran = await scene.herald('apply', '--yes', ...REVIEWED);
    expect(ran.code).toBe(5);
    expect(ran.stderr.replace(/\s+/g, ' ')).toContain('Not as reviewed: Herald would create it.');
    expect(ran.stderr).toContain('As edited');
  });

  it('calls nothing done of an account that herald.yaml does not name any more', async () => {
    const scene = await saved({ campaigns: [WELCOME] });
    scene.files.tree['herald.yaml'] = WORKSPACE.replace(/ {2}alice: .*\n/, '');
    Object.assign(scene.files.tree, declaring({ campaigns: [WELCOME] }, ['bob']));
    const ran = await scene.herald('apply', '--yes', ...REVIEWED);
    expect([ran.code, await createsSent(scene)]).toEqual([5, 0]);
    expect(ran.stderr).toContain('herald.yaml does not have the account alice any more');
    expect(ran.stdout).not.toContain('already done');
  });

  it('takes allowances from its own flags, and none from the plan', async () => {
    const mine = { name: 'Welcome', messages: [{ text: 'Mine' }] };
    const scene = aScene({ files: declaring({ campaigns: [WELCOME] }) });
    await scene.service((control) => control.seedCampaign('101', mine));
    await scene.herald('plan', '--out', 'plan.json', '--allow', 'adopt');
    const without = await applied(scene, ...REVIEWED);
    expect([without.code, await createsSent(scene)]).toEqual([5, 0]);
    const allowed = await applied(scene, ...REVIEWED, '--allow', 'adopt');
    expect([allowed.code, outcomes(allowed)]).toEqual([0, ['replace applied']]);
  });

  it('calls nothing done that is not declared any more, or that it may not prune', async () => {
    const [both, one] = [{ campaigns: [WELCOME, OTHER] }, { campaigns: [WELCOME] }];
    const dropped = await saved(both, one);
    declare(dropped, one);
    const unpruned = await saved(one, both, ...PRUNE);
    for (const scene of [dropped, unpruned])
      expect((await applied(scene, ...REVIEWED)).report.already_done).toEqual([]);
    await applied(unpruned, ...REVIEWED, ...PRUNE);
    expect((await applied(unpruned, ...REVIEWED)).report.already_done).toHaveLength(1);
  });

  it('calls no stop done that came too late', async () => {
    const as = (status: string) => ({ broadcasts: [broadcast({ status })] });
    const scene = await saved(as('paused'), as('scheduled'));
    const late = async () => (await applied(scene, ...REVIEWED, '--allow', 'recall')).report.already_done;
    scene.clock.move(4 * HOUR);
    expect(await late()).toEqual([]);
    scene.clock.move(40 * HOUR);
    declare(scene, as('recalled'));
    await scene.herald('plan', '--allow', 'recall', '--out', 'plan.json');
    await late();
    expect(await late()).toEqual([]);
  });

  it('stops nothing by a plan that is too old, also while it waits for an earlier request', async () => {
    const scene = await saved({ campaigns: [campaign({ status: 'paused' })] }, { campaigns: [WELCOME] });
    declare(scene, { campaigns: [WELCOME, OTHER] });
    await dieBefore(scene, (what) => what === 'end');
    declare(scene, { campaigns: [campaign({ status: 'paused' }), OTHER] });
    scene.clock.move(3 * HOUR);
    const ran = await scene.herald('apply', '--yes', ...REVIEWED, '--max-plan-age', '1');
    expect([ran.code, await statuses(scene, 'campaign')]).toEqual([5, ['active', 'active']]);
  });

  it('prunes what was reviewed, and nothing else', async () => {
    const both = { campaigns: [WELCOME, OTHER] };
    const scene = await saved({ campaigns: [WELCOME] }, both, ...PRUNE);
    const third = campaign({ name: 'Third', messages: [{ text: 'Third' }] });
    declare(scene, { campaigns: [WELCOME, OTHER, third] });
    await scene.herald('apply', '--yes');
    declare(scene, { campaigns: [WELCOME] });
    const run = await applied(scene, ...REVIEWED, ...PRUNE);
    expect([run.code, outcomes(run)]).toEqual([5, ['archive applied', 'blocked not_attempted']]);
  });
});
