import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied, outcomes, statuses, writesSent } from '../helpers/flows.ts';
import { madeOnce } from '../helpers/made-once.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

interface Kind {
  readonly title: string;
  readonly action: string;
  readonly kind: 'campaign' | 'broadcast';
  /** The call that the change stands on. */
  readonly flags?: readonly string[];
  /** Brings live state and files to where the change is what is left to do. */
  readonly prepare: (scene: Scene) => Promise<void>;
  /** What is live afterwards. */
  readonly ends: readonly (string | null)[];
}

const declare = (files: Record<string, string>) => async (scene: Scene) =>
  void Object.assign(scene.files.tree, files);
const campaigns = (more: Record<string, unknown> = {}) => declare(declaring({ campaigns: [campaign(more)] }));
const broadcasts = (more: Record<string, unknown> = {}) =>
  declare(declaring({ broadcasts: [broadcast(more)] }));
const run = async (scene: Scene) => void (await applied(scene));
const inTurn =
  (...deeds: readonly ((scene: Scene) => Promise<unknown>)[]) =>
  async (scene: Scene) => {
    for (const deed of deeds) await deed(scene);
  };
const twice = (kind: 'campaign' | 'broadcast') => (scene: Scene) => {
  // It counts as a copy of ours, because it is younger and has the same key.
  scene.clock.move(60_000);
  return scene.service((control, world) => {
    const created_by = { type: 'api_token', id: '1' };
    const [account] = [world.accounts['101']];
    if (kind === 'campaign')
      control.seedCampaign('101', { name: 'Welcome', messages: [{ text: 'Hey' }], created_by });
    else {
      const scheduled_at = Object.values(account?.broadcasts ?? {})[0]?.live.scheduled_at ?? null;
      control.seedBroadcast('101', {
        name: 'Teaser',
        messages: [{ text: 'Tomorrow' }],
        created_by,
        scheduled_at,
      });
    }
  });
};

const KINDS: readonly Kind[] = [
  {
    title: 'create',
    action: 'create',
    kind: 'campaign',
    prepare: campaigns(),
    ends: ['active'],
  },
  {
    title: 'create',
    action: 'create',
    kind: 'broadcast',
    prepare: broadcasts(),
    ends: ['scheduled'],
  },
  {
    title: 'replace',
    action: 'replace',
    kind: 'campaign',
    prepare: inTurn(campaigns(), run, campaigns({ messages: [{ text: 'Hello' }] })),
    ends: ['paused', 'active'],
  },
  {
    title: 'replace',
    action: 'replace',
    kind: 'broadcast',
    prepare: inTurn(broadcasts(), run, broadcasts({ scheduled_at: '2026-06-01T16:00Z' })),
    ends: ['paused', 'scheduled'],
  },
  {
    title: 'activate',
    action: 'activate',
    kind: 'campaign',
    prepare: inTurn(campaigns(), run, campaigns({ status: 'paused' }), run, campaigns()),
    ends: ['active'],
  },
  {
    title: 'resume',
    action: 'resume',
    kind: 'broadcast',
    prepare: inTurn(broadcasts(), run, broadcasts({ status: 'paused' }), run, broadcasts()),
    ends: ['scheduled'],
  },
  {
    title: 'pause',
    action: 'pause',
    kind: 'campaign',
    prepare: inTurn(campaigns(), run, campaigns({ status: 'paused' })),
    ends: ['paused'],
  },
  {
    title: 'pause',
    action: 'pause',
    kind: 'broadcast',
    prepare: inTurn(broadcasts(), run, broadcasts({ status: 'paused' })),
    ends: ['paused'],
  },
  {
    title: 'archive',
    action: 'archive',
    kind: 'campaign',
    prepare: inTurn(campaigns(), run, campaigns({ status: 'archived' })),
    ends: ['archived'],
  },
  {
    title: 'retire',
    action: 'retire',
    kind: 'campaign',
    prepare: inTurn(campaigns(), run, twice('campaign')),
    ends: ['active', 'archived'],
  },
  {
    title: 'retire',
    action: 'retire',
    kind: 'broadcast',
    prepare: inTurn(broadcasts(), run, twice('broadcast')),
    ends: ['scheduled', 'paused'],
  },
  {
    title: 'recall',
    action: 'recall',
    kind: 'campaign',
    flags: ['--allow', 'recall'],
    prepare: inTurn(campaigns(), run, campaigns({ status: 'recalled' })),
    ends: ['recalling'],
  },
  {
    title: 'recall',
    action: 'recall',
    kind: 'broadcast',
    flags: ['--allow', 'recall'],
    prepare: inTurn(broadcasts(), run, broadcasts({ status: 'recalled' })),
    ends: ['recalled'],
  },
];

describe.each(KINDS)('$title of a $kind', ({ action, kind, flags = [], prepare, ends }) => {
  const prepared = madeOnce(async () => {
    const scene = aScene();
    await prepare(scene);
    return scene;
  });

  it('first run: is carried out', async () => {
    const scene = await prepared();
    const first = await applied(scene, ...flags);
    expect(outcomes(first)).toEqual([`${action} applied`]);
    expect(first.code).toBe(0);
    expect(await statuses(scene, kind)).toEqual(ends);
  });

  it('second run: does nothing', async () => {
    const scene = await prepared();
    await applied(scene, ...flags);
    const sent = await writesSent(scene);
    const second = await applied(scene, ...flags);
    expect(outcomes(second)).toEqual([]);
    expect(second.code).toBe(0);
    expect(await writesSent(scene)).toEqual(sent);
  });
});
