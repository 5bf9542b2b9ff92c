import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/api/catalogue.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied, outcomes, planned, statuses, writesSent } from '../helpers/flows.ts';
import { madeOnce } from '../helpers/made-once.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

interface Kind {
  readonly title: string;
  readonly action: string;
  readonly kind: 'campaign' | 'broadcast';
  /** The call that the change stands on. */
  readonly operation: Operation;
  readonly flags?: readonly string[];
  /** Brings live state and files to where the change is what is left to do. */
  readonly prepare: (scene: Scene) => Promise<void>;
  /** What is live afterwards. */
  readonly ends: readonly (string | null)[];
  /** How the first run ends when the first answer to the call is lost. */
  readonly whenLost: 'applied' | 'adopted' | 'unknown';
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
    operation: 'campaigns.create',
    prepare: campaigns(),
    ends: ['active'],
    whenLost: 'adopted',
  },
  {
    title: 'create',
    action: 'create',
    kind: 'broadcast',
    operation: 'broadcasts.create',
    prepare: broadcasts(),
    ends: ['scheduled'],
    whenLost: 'adopted',
  },
  {
    title: 'replace',
    action: 'replace',
    kind: 'campaign',
    operation: 'campaigns.set-status',
    prepare: inTurn(campaigns(), run, campaigns({ messages: [{ text: 'Hello' }] })),
    ends: ['paused', 'active'],
    whenLost: 'applied',
  },
  {
    title: 'replace',
    action: 'replace',
    kind: 'broadcast',
    operation: 'broadcasts.set-status',
    prepare: inTurn(broadcasts(), run, broadcasts({ scheduled_at: '2026-06-01T16:00Z' })),
    ends: ['paused', 'scheduled'],
    whenLost: 'applied',
  },
  {
    title: 'activate',
    action: 'activate',
    kind: 'campaign',
    operation: 'campaigns.set-status',
    prepare: inTurn(campaigns(), run, campaigns({ status: 'paused' }), run, campaigns()),
    ends: ['active'],
    whenLost: 'applied',
  },
  {
    title: 'resume',
    action: 'resume',
    kind: 'broadcast',
    operation: 'broadcasts.set-status',
    prepare: inTurn(broadcasts(), run, broadcasts({ status: 'paused' }), run, broadcasts()),
    ends: ['scheduled'],
    whenLost: 'applied',
  },
  {
    title: 'pause',
    action: 'pause',
    kind: 'campaign',
    operation: 'campaigns.set-status',
    prepare: inTurn(campaigns(), run, campaigns({ status: 'paused' })),
    ends: ['paused'],
    whenLost: 'applied',
  },
  {
    title: 'pause',
    action: 'pause',
    kind: 'broadcast',
    operation: 'broadcasts.set-status',
    prepare: inTurn(broadcasts(), run, broadcasts({ status: 'paused' })),
    ends: ['paused'],
    whenLost: 'applied',
  },
  {
    title: 'archive',
    action: 'archive',
    kind: 'campaign',
    operation: 'campaigns.set-status',
    prepare: inTurn(campaigns(), run, campaigns({ status: 'archived' })),
    ends: ['archived'],
    whenLost: 'applied',
  },
  {
    title: 'retire',
    action: 'retire',
    kind: 'campaign',
    operation: 'campaigns.set-status',
    prepare: inTurn(campaigns(), run, twice('campaign')),
    ends: ['active', 'archived'],
    whenLost: 'applied',
  },
  {
    title: 'retire',
    action: 'retire',
    kind: 'broadcast',
    operation: 'broadcasts.set-status',
    prepare: inTurn(broadcasts(), run, twice('broadcast')),
    ends: ['scheduled', 'paused'],
    whenLost: 'applied',
  },
  {
    title: 'recall',
    action: 'recall',
    kind: 'campaign',
    operation: 'campaigns.unsend',
    flags: ['--allow', 'recall'],
    prepare: inTurn(campaigns(), run, campaigns({ status: 'recalled' })),
    ends: ['recalling'],
    whenLost: 'applied',
  },
  {
    title: 'recall',
    action: 'recall',
    kind: 'broadcast',
    operation: 'broadcasts.unsend',
    flags: ['--allow', 'recall'],
    prepare: inTurn(broadcasts(), run, broadcasts({ status: 'recalled' })),
    ends: ['recalled'],
    // Nothing shows whether a broadcast was recalled: a person decides.
    whenLost: 'unknown',
  },
];

describe.each(KINDS)(
  '$title of a $kind',
  ({ action, kind, operation, flags = [], prepare, ends, whenLost }) => {
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

    it('drift: is shown before and gone afterwards, and both only look', async () => {
      const scene = await prepared();
      const sent = await writesSent(scene);
      expect((await scene.herald('drift')).code).toBe(2);
      expect((await planned(scene, '--detailed-exitcode', ...flags)).code).toBe(2);
      expect(await writesSent(scene)).toEqual(sent);
      await applied(scene, ...flags);
      expect((await scene.herald('drift')).code).toBe(0);
    });

    it('lost answer: is made certain by the same run, and the next one does nothing', async () => {
      const scene = await prepared();
      await scene.fault({ kind: 'broken_answer', operation, how: 'reset', when: 'after_commit', nth: 1 });
      const first = await applied(scene, ...flags);
      expect(outcomes(first)).toEqual([`${action} ${whenLost}`]);
      expect(first.code).toBe(whenLost === 'unknown' ? 3 : 0);
      if (whenLost === 'unknown') return;
      const sent = await writesSent(scene);
      const second = await applied(scene, ...flags);
      expect(outcomes(second)).toEqual([]);
      expect(second.code).toBe(0);
      expect(await writesSent(scene)).toEqual(sent);
      expect((await statuses(scene, kind)).length).toBe(ends.length);
      expect((await planned(scene, '--detailed-exitcode', ...flags)).code).toBe(0);
    });

    it('rate limit: waits and goes on', async () => {
      const scene = await prepared();
      await scene.fault({ kind: 'throttle', operation, nth: 1, times: 3 });
      const first = await applied(scene, ...flags);
      expect(outcomes(first)).toEqual([`${action} applied`]);
      expect(await statuses(scene, kind)).toEqual(ends);
    });
  },
);
