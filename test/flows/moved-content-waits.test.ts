import { afterEach, describe, expect, it, vi } from 'vitest';
import { altered } from '../helpers/altered.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied, messages, outcomes } from '../helpers/flows.ts';

afterEach(() => vi.unstubAllGlobals());

type Service = ReturnType<typeof altered>;

/** The process is frozen while it writes such a line, and then someone acts. */
function frozenAt({ scene: { files, clock } }: Service, line: RegExp, act: () => void): void {
  let isOver = false;
  files.onWrite = (_path, text) => {
    if (!isOver && line.test(text)) {
      isOver = true;
      clock.move(240_000);
      act();
    }
    return 'done';
  };
}

function campaignsOf({ world }: Service): readonly string[] {
  return Object.values(world.accounts['101']?.campaigns ?? {}).map(
    ({ live: { name, status } }) => `${name ?? ''} ${status ?? 'none'}`,
  );
}

/** B says what A says, and A is declared paused. */
const MOVED = declaring({
  campaigns: [campaign({ name: 'A', status: 'paused' }), campaign({ name: 'B' })],
});

describe('a campaign that takes over the content of another one, which was stopped for it', () => {
  async function withA() {
    const service = altered((_request, answer) => answer(), {
      files: declaring({ campaigns: [campaign({ name: 'A' })] }),
    });
    expect((await applied(service.scene)).code).toBe(0);
    const [id = ''] = Object.keys(service.world.accounts['101']?.campaigns ?? {});
    Object.assign(service.scene.files.tree, MOVED);
    const startA = () => void service.simulator.control.editCampaign('101', id, { status: 'active' });
    return { ...service, startA };
  }

  it.each([
    ['while it was frozen', /"type":"intent".*"call":"create"/],
    ['before its turn', /"type":"outcome"/],
  ])('is not created if someone has switched that one on again %s', async (_when, line) => {
    const service = await withA();
    frozenAt(service, line, service.startA);
    const run = await applied(service.scene);
    expect(campaignsOf(service)).toEqual(['A active']);
    expect([run.code, outcomes(run)], messages(run)).toEqual([3, ['pause unknown', 'create failed']]);
    expect(messages(run)).toContain('was switched on again');
  });

  it('is not activated if someone has switched that one on again while it was frozen', async () => {
    const service = await withA();
    service.simulator.control.seedCampaign('101', {
      name: 'B',
      trigger: 'welcome_message',
      status: 'paused',
      messages: [{ text: 'Hey' }],
    });
    frozenAt(service, /"type":"intent".*"target":"active"/, service.startA);
    const run = await applied(service.scene, '--allow', 'adopt', '--allow', 'resume');
    expect(campaignsOf(service), messages(run)).toEqual(['A active', 'B paused']);
    expect(messages(run)).toContain('was switched on again');
  });
});

describe('a broadcast that replaces one that was paused for it', () => {
  it('is not created if the old one has gone out while it was frozen', async () => {
    const service = altered((_request, answer) => answer(), {
      files: declaring({ broadcasts: [broadcast()] }),
    });
    const { scene, world, simulator } = service;
    expect((await applied(scene)).code).toBe(0);
    const [id = ''] = Object.keys(world.accounts['101']?.broadcasts ?? {});
    const later = declaring({ broadcasts: [broadcast({ scheduled_at: '2026-06-02T15:00Z' })] });
    Object.assign(scene.files.tree, later);
    frozenAt(service, /"type":"intent".*"call":"create"/, () => {
      simulator.control.editBroadcast('101', id, { status: 'scheduled' });
      scene.clock.move(3 * 3_600_000);
      simulator.control.editBroadcast('101', id, { status: 'paused' });
    });
    const run = await applied(scene);
    const { requests } = simulator.control.oracle();
    const creates = requests.filter(({ operation }) => operation === 'broadcasts.create');
    expect([outcomes(run), creates.length], messages(run)).toEqual([['replace failed'], 1]);
    expect(messages(run)).toContain('has begun to go out while the create waited');
  });
});
