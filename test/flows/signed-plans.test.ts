import { describe, expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, createsSent, expectEnd } from '../helpers/flows.ts';
import { computeSeal } from '../../src/plan/saved.ts';
import { PlanKey } from '../../src/cli/saved-plan.ts';
import { madeOnce } from '../helpers/made-once.ts';
import { aScene, type Ran, type Scene } from '../helpers/scene.ts';

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
  const plan = documentIn(scene);
  change(plan);
  plan['digest'] = computeSeal(plan);
  scene.files.tree['plan.json'] = JSON.stringify(plan);
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

  it('is refused with an empty key, although it has no signature', async () => {
    const scene = await planned(KEY);
    scene.env['HERALD_PLAN_KEY'] = ' \n';
    const ran = await scene.herald('apply', '--yes', ...form);
    const says = 'The variable HERALD_PLAN_KEY should hold a secret, but it is empty.';
    await expectRefused(scene, ran, 1, says);
  });

  it('is refused if the key is too short to protect it', async () => {
    const scene = await planned(KEY, '--sign');
    scene.env['HERALD_PLAN_KEY'] = 'fifteen-bytes!!';
    const ran = await scene.herald('apply', '--yes', ...form);
    const says = 'HERALD_PLAN_KEY has 15 bytes, and a key needs at least 16. Nothing was changed.';
    await expectRefused(scene, ran, 1, says);
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
