import { describe, expect, it } from 'vitest';
import { byHand } from '../helpers/by-hand.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  createsSent,
  decisions,
  liveOn,
  messages,
  outcomes,
  planned,
  writesSent,
} from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const DAY = 86_400_000;

const KINDS = [
  { kind: 'campaign', of: 'campaigns', start: 'activate', running: 'active' },
  { kind: 'broadcast', of: 'broadcasts', start: 'resume', running: 'scheduled' },
] as const;
type Kind = (typeof KINDS)[number]['kind'];

/** A far hour, so that days may pass before it. */
const HOUR = '2026-07-01T15:00Z';

function files(kind: Kind, text: string): Record<string, string> {
  const messages = [{ text }];
  return kind === 'campaign'
    ? declaring({ campaigns: [campaign({ messages })] })
    : declaring({ broadcasts: [broadcast({ messages, scheduled_at: HOUR })] });
}

/** Version "Old" was replaced by version "New"; both are live, the old one paused. */
async function replaced(kind: Kind): Promise<{ scene: Scene; old: string; young: string }> {
  const scene = aScene({ files: files(kind, 'Old') });
  expect((await applied(scene)).code).toBe(0);
  Object.assign(scene.files.tree, files(kind, 'New'));
  expect((await applied(scene)).code).toBe(0);
  const [old, young] = await liveOn(scene, '101', kind);
  return { scene, old: old?.id ?? '', young: young?.id ?? '' };
}

async function live(scene: Scene, kind: Kind): Promise<string[]> {
  return (await liveOn(scene, '101', kind)).map(({ text, status }) => `${text} ${status}`);
}

describe.each(KINDS)(
  'a $kind that a person took back to its older version',
  ({ kind, of, start, running }) => {
    it.each(['with Herald', 'on the service'])('%s stays there until --allow resume', async (where) => {
      const { scene, old, young } = await replaced(kind);
      if (where === 'with Herald') {
        expect((await byHand(scene, of, 'pause', young)).code).toBe(0);
        expect((await byHand(scene, of, start, old)).code).toBe(0);
      } else
        await scene.service((control) => {
          const edit = kind === 'campaign' ? control.editCampaign : control.editBroadcast;
          edit('101', young, { status: 'paused' });
          edit('101', old, { status: running });
        });
      const before = (await writesSent(scene)).length;
      const run = await applied(scene);
      expect(run.code).toBe(5);
      expect(messages(run)).toContain(`: ${young}.`);
      expect(messages(run)).toContain('With --allow replace and --allow resume, Herald would start it.');
      expect((await writesSent(scene)).length, 'nothing was sent').toBe(before);
      expect((await applied(scene, '--allow', 'resume', '--allow', 'replace')).code).toBe(0);
      expect((await live(scene, kind)).toSorted()).toEqual(
        [`New ${running}`, 'New paused', 'Old paused'].toSorted(),
      );
      expect(decisions(await planned(scene))).toEqual([]);
    });

    it('is as declared again once the file is taken back, too', async () => {
      const { scene, old, young } = await replaced(kind);
      await byHand(scene, of, 'pause', young);
      await byHand(scene, of, start, old);
      Object.assign(scene.files.tree, files(kind, 'Old'));
      const before = (await writesSent(scene)).length;
      expect((await applied(scene)).code).toBe(0);
      expect((await writesSent(scene)).length).toBe(before);
      expect(decisions(await planned(scene))).toEqual([]);
    });

    it('does not get the recalled text again, whatever is allowed', async () => {
      const { scene, old, young } = await replaced(kind);
      expect((await byHand(scene, of, 'unsend', young)).code).toBe(0);
      await scene.service((control) =>
        (kind === 'campaign' ? control.editCampaign : control.editBroadcast)('101', old, { status: running }),
      );
      const run = await applied(scene, '--allow', 'resume', '--allow', 'adopt', '--allow', 'recall');
      expect(run.code).toBe(5);
      expect(messages(run)).toMatch(
        new RegExp(`${young} has the declared content|recalled ${young}|: ${young}`),
      );
      expect(await createsSent(scene)).toBe(2);
      // A broadcast next to a recalled one of its name would be a second send.
      expect((await live(scene, kind))[0]).toBe(kind === 'campaign' ? 'Old active' : 'Old paused');
    });

    it('moves between versions freely where only the files did', async () => {
      const { scene } = await replaced(kind);
      for (const text of ['Old', 'New', 'Old']) {
        Object.assign(scene.files.tree, files(kind, text));
        expect((await applied(scene)).code).toBe(0);
        if (kind === 'campaign') scene.clock.move(8 * DAY);
      }
      expect((await live(scene, kind)).filter((line) => line.endsWith(running))).toEqual([`Old ${running}`]);
    });
  },
);

describe('a newer version that a person stopped, and a file that goes back to the older text', () => {
  it.each([
    ['pause', 'with Herald'],
    ['archive', 'with Herald'],
    ['pause', 'on the service'],
    ['archive', 'on the service'],
  ])('(%s %s) starts the older one only with --allow resume', async (verb, where) => {
    const { scene, young } = await replaced('campaign');
    const status = `${verb}d`;
    if (where === 'with Herald') expect((await byHand(scene, 'campaigns', verb, young)).code).toBe(0);
    else await scene.service((control) => control.editCampaign('101', young, { status }));
    Object.assign(scene.files.tree, files('campaign', 'Old'));
    const before = (await writesSent(scene)).length;
    const run = await applied(scene);
    expect(run.code).toBe(5);
    expect(messages(run)).toMatch(new RegExp(`: ${young}\\. With --allow resume, Herald would activate it`));
    expect((await writesSent(scene)).length, 'nothing was sent').toBe(before);
    // The service archives what was paused: that changes nothing.
    scene.clock.move(8 * DAY);
    expect((await applied(scene)).code).toBe(5);
    expect((await applied(scene, '--allow', 'resume')).code).toBe(0);
    expect(await live(scene, 'campaign')).toContain('Old active');
    expect(await live(scene, 'campaign')).toContain('New archived');
    expect(decisions(await planned(scene))).toEqual([]);
  });
});

describe('a campaign that a person stopped on the service', () => {
  const stopped = async (status: 'paused' | 'archived') => {
    const scene = aScene({ files: files('campaign', 'Old') });
    await applied(scene);
    const [object] = await liveOn(scene, '101', 'campaign');
    await scene.service((control) => control.editCampaign('101', object?.id ?? '', { status }));
    return scene;
  };

  it.each(['paused', 'archived'] as const)('(%s) stays stopped for longer than a week', async (status) => {
    const scene = await stopped(status);
    expect((await applied(scene)).code).toBe(5);
    scene.clock.move(8 * DAY);
    expect(await live(scene, 'campaign')).toEqual(['Old archived']);
    const run = await applied(scene);
    expect(run.code).toBe(5);
    expect(messages(run)).toContain('It needs --allow resume');
    expect(await live(scene, 'campaign')).toEqual(['Old archived']);
    expect((await applied(scene, '--allow', 'resume')).code).toBe(0);
    // What is archived stays so: the service may archive it again.
    expect(await live(scene, 'campaign')).toEqual(['Old archived', 'Old active']);
  });

  it('stays stopped for longer than a week with another text in the file, too', async () => {
    const scene = await stopped('paused');
    Object.assign(scene.files.tree, files('campaign', 'New'));
    scene.clock.move(8 * DAY);
    expect((await applied(scene)).code).toBe(5);
    expect(await live(scene, 'campaign')).toEqual(['Old archived']);
    expect((await applied(scene, '--allow', 'resume')).code).toBe(0);
    expect(await live(scene, 'campaign')).toEqual(['Old archived', 'New active']);
  });

  it('does not count as stopped by a person where the files archived or pruned it', async () => {
    for (const flags of [[], ['--allow', 'prune', '--allow', 'large']]) {
      const scene = aScene({ files: files('campaign', 'Old') });
      await applied(scene);
      const archived = declaring({
        campaigns: [campaign({ messages: [{ text: 'Old' }], status: 'archived' })],
      });
      const removed = declaring({ campaigns: [campaign({ name: 'Another' })] });
      Object.assign(scene.files.tree, flags.length === 0 ? archived : removed);
      expect((await applied(scene, ...flags)).code).toBe(0);
      Object.assign(scene.files.tree, files('campaign', 'Old'));
      expect((await applied(scene)).code).toBe(0);
      expect(await live(scene, 'campaign')).toContain('Old active');
    }
  });
});

describe('a campaign that someone stops while the run that switched it on is still at work', () => {
  const paused = declaring({ campaigns: [campaign({ status: 'paused' })] });
  const active = declaring({ campaigns: [campaign()] });

  /** Active, paused by the files, and declared active again. */
  const toSwitchOn = async () => {
    const scene = aScene({ files: active });
    await applied(scene);
    Object.assign(scene.files.tree, paused);
    await applied(scene);
    Object.assign(scene.files.tree, active);
    const [object] = await liveOn(scene, '101', 'campaign');
    return { scene, id: object?.id ?? '' };
  };
  it.each(['paused', 'archived', 'recalled'])('(%s) is reported at the end', async (status) => {
    const { scene, id } = await toSwitchOn();
    const edit = { kind: 'campaign', account_id: '101', id, set: { status } } as const;
    // Its last list: what was done is looked at once more.
    await scene.fault({ kind: 'change_before', operation: 'campaigns.list', nth: 2, edit });
    const run = await applied(scene);
    expect(outcomes(run)).toEqual(['activate applied']);
    expect(run.report.outcomes[0]?.message).toMatch(
      /^(By now \d+ is|\w+ outside Herald: \d+\.|\d+ has the declared content, and was recalled)/,
    );
  });
});
