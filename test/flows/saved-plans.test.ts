import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied, createsSent, outcomes, statuses, writesSent, expectEnd } from '../helpers/flows.ts';
import { computeSeal } from '../../src/plan/saved.ts';
import { madeOnce } from '../helpers/made-once.ts';
import { aScene, type Scene, type Ran } from '../helpers/scene.ts';
import { PlanKey } from '../../src/cli/saved-plan.ts';

const HOUR = 3_600_000;

/** What someone does to a saved plan on its way to the apply. */
function editPlan(scene: Scene, edit: (plan: Record<string, unknown>) => unknown): void {
  const plan = JSON.parse(scene.files.tree['plan.json'] ?? '') as Record<string, unknown>;
  edit(plan);
  scene.files.tree['plan.json'] = JSON.stringify(plan, null, 2);
}

const digestIn = ({ files }: Scene) =>
  (JSON.parse(files.tree['plan.json'] ?? '') as { readonly digest: string }).digest;

const saved = madeOnce(async () => {
  const scene = aScene({ files: declaring({ campaigns: [campaign()], broadcasts: [broadcast()] }) });
  const ran = await scene.herald('plan', '--out', 'plan.json');
  expectEnd(ran, 0, `herald apply plan.json --expect ${digestIn(scene)}\n`);
  return scene;
});

describe('a saved plan', () => {
  it('names its service, and is refused for another one before anything is asked of that', async () => {
    const scene = await saved();
    const service = { origin: 'simulator:.herald/world.json', source: 'herald.yaml', simulator: true };
    expect(JSON.parse(scene.files.tree['plan.json'] ?? '')).toMatchObject({ plan: { service } });
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
      ({ files }) => Object.assign(files.tree, declaring({ campaigns: [campaign()] })),
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
        Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ name: 'Hand' })] }));
        await scene.herald('plan', '--out', 'plan.json');
        editPlan(scene, (plan) => {
          plan['allow'] = ['adopt'];
          plan['digest'] = computeSeal(plan);
        });
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
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
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
    editPlan(scene, (plan) => {
      plan['created_at'] = '2026-06-01T12:00:01.000Z';
      plan['digest'] = computeSeal(plan);
    });
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

const planned = madeOnce(async (key: string | null, ...flags: string[]) => {
  const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
  if (key !== null) scene.env['HERALD_PLAN_KEY'] = key;
  expectEnd(await scene.herald('plan', '--out', 'plan.json', ...flags), 0);
  return scene;
});

const documentIn = ({ files }: Scene) => JSON.parse(files.tree['plan.json'] ?? '') as Record<string, unknown>;

function edit(scene: Scene, change: (plan: Record<string, unknown>) => unknown): void {
  editPlan(scene, (plan) => {
    change(plan);
    plan['digest'] = computeSeal(plan);
  });
}

/** Nothing was sent, and the key is in no output. */
async function expectRefused(scene: Scene, ran: Ran, code: number, says: string): Promise<void> {
  expect(ran.stderr).toContain(says);
  expect(ran.code).toBe(code);
  expect(`${ran.stdout}${ran.stderr}`).not.toContain(KEY);
  expect(await createsSent(scene)).toBe(0);
}

describe.each(FORMS)('a signed plan, applied with $form', ({ form }) => {
  it('is applied where the key is', async () => {
    const scene = await planned(KEY, '--sign');
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
    const scene = await planned(KEY, '--sign');
    edit(scene, change);
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
    const scene = await planned(KEY, ...flags);
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
  const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
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
  const scene = await planned(null);
  const ran = await scene.herald('apply', '--yes', '--reviewed', 'plan.json', ...flags);
  expect(ran.stderr).toContain(says);
  expect(await createsSent(scene)).toBe(0);
});
