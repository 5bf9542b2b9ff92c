import { describe, expect, it } from 'vitest';
import { applied, createsSent, dieBefore, statuses } from '../helpers/flows.ts';
import { fileOf, imported } from '../helpers/imports.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const FILE = 'live/all.yaml';

const campaign = (text: string, status = 'active') => `accounts: [alice]
campaigns:
  - name: Welcome
    status: ${status}
    trigger: welcome_message
    action: send_message
    audience: everyone
    messages:
      - text: ${text}
`;

const broadcast = (text: string) => `accounts: [alice]
broadcasts:
  - name: Teaser
    scheduled_at: 2026-06-01T15:00Z
    audience: everyone
    messages:
      - text: ${text}
`;

const lost = { kind: 'late_commit', after_sec: 60, how: 'reset', nth: 1 } as const;

async function dieWithLatePause(scene: Scene): Promise<void> {
  await scene.fault({ ...lost, operation: 'campaigns.set-status' });
  await dieBefore(scene, (what) => what === 'repeat');
}

/** A create that takes effect a minute later, and the process dies while it waits for that. */
const dieWithLateCreate = (operation: 'campaigns.create' | 'broadcasts.create') => async (scene: Scene) => {
  await scene.fault({ ...lost, operation });
  const before = await createsSent(scene);
  let isDead = false;
  const gate = () => (isDead ? new Promise<void>(() => undefined) : Promise.resolve());
  const run = scene.startAs({ gate }, 'apply', '--yes');
  while ((await createsSent(scene)) === before) await new Promise((resolve) => setImmediate(resolve));
  isDead = true;
  run.kill();
};

/** The second request of a replace is its create. */
async function dieAfterPause(scene: Scene): Promise<void> {
  let begun = 0;
  await dieBefore(scene, (what) => what === 'begin' && (begun += 1) === 2);
}

/** Applied, edited, and then an apply of the edit that dies. */
async function cutShort(before: string, after: string, die: (scene: Scene) => Promise<void>): Promise<Scene> {
  const scene = aScene({ files: { [FILE]: before } });
  await applied(scene);
  scene.files.tree[FILE] = after;
  await die(scene);
  return scene;
}

async function kept(scene: Scene): Promise<string[]> {
  const before = fileOf(scene, FILE);
  const { ran, report } = await imported(scene, '--update');
  expect.soft(ran.code).toBe(0);
  expect.soft(report).toMatchObject({ files: [], updated: [] });
  expect.soft(fileOf(scene, FILE)).toBe(before);
  return report.left_out.map(({ code, account, reason }) => `${code} ${account}: ${reason}`);
}

const UNCONFIRMED = 'got no answer and may have succeeded. Run herald apply first.';
const OWED =
  'kept-as-written alice: Herald paused it on alice to replace it, and the new version is missing. Run herald apply first.';

describe('import --update next to an apply that died', () => {
  const lateCampaign = dieWithLateCreate('campaigns.create');
  const lateBroadcast = dieWithLateCreate('broadcasts.create');

  it.each([
    [
      'a create of a campaign',
      campaign('Hey'),
      campaign('New'),
      lateCampaign,
      'campaigns.create on',
      'active',
    ],
    [
      'a create of a broadcast',
      broadcast('Hey'),
      broadcast('New'),
      lateBroadcast,
      'broadcasts.create on',
      'scheduled',
    ],
    [
      'a pause',
      campaign('Hey'),
      campaign('Hey', 'paused'),
      dieWithLatePause,
      'campaigns.set-status of',
      'paused',
    ],
  ] as const)('keeps the file of a change under way: %s', async (_, before, after, die, call, status) => {
    const scene = await cutShort(before, after, die);
    const [reason, ...more] = await kept(scene);
    expect(more).toEqual([]);
    expect(reason).toContain(`kept-as-written alice: ${call}`);
    expect(reason).toContain(UNCONFIRMED);
    scene.clock.move(70_000);
    await applied(scene);
    const kind = status === 'scheduled' ? 'broadcast' : 'campaign';
    expect((await statuses(scene, kind)).at(-1)).toBe(status);
  });

  it('keeps the file of a replace that was cut short after its pause', async () => {
    const scene = await cutShort(campaign('Hey'), campaign('New'), dieAfterPause);
    expect(await kept(scene)).toEqual([OWED]);
    await applied(scene);
    expect(await statuses(scene, 'campaign')).toEqual(['paused', 'active']);
  });
});
