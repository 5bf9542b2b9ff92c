import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  createsSent,
  decisions,
  dieAtWrite,
  liveOn,
  messages,
  planned,
  statuses,
  writesSent,
} from '../helpers/flows.ts';
import { madeOnce } from '../helpers/made-once.ts';
import { aScene } from '../helpers/scene.ts';

const first = { campaigns: [campaign()], broadcasts: [broadcast()] };
const second = {
  campaigns: [campaign({ messages: [{ text: 'Hello' }] })],
  broadcasts: [broadcast({ messages: [{ text: 'Tonight' }] })],
};

const edited = madeOnce(async (of: 'campaigns' | 'broadcasts') => {
  const scene = aScene({ files: declaring({ [of]: first[of] }) });
  expect((await applied(scene)).code).toBe(0);
  Object.assign(scene.files.tree, declaring({ [of]: second[of] }));
  return scene;
});

describe('replace: create_first', () => {
  const files = declaring({
    campaigns: [campaign({ messages: [{ text: 'Hello' }], replace: 'create_first' })],
  });

  // CONTENT-24
  it('creates before it pauses', async () => {
    const scene = await edited('campaigns');
    Object.assign(scene.files.tree, files);
    expect((await applied(scene)).code).toBe(0);
    expect((await writesSent(scene)).slice(1)).toEqual([
      'POST campaigns.create',
      'PATCH campaigns.set-status',
    ]);
    expect(await statuses(scene, 'campaign')).toEqual(['paused', 'active']);
  });

  it('says that both are live when the pause fails, and the next run ends that', async () => {
    const scene = await edited('campaigns');
    Object.assign(scene.files.tree, files);
    await scene.fault({ kind: 'throttle', operation: 'campaigns.set-status', retry_after_sec: 200 });
    const run = await applied(scene);
    expect(run.code).toBe(4);
    expect(messages(run)).toMatch(
      /The new version \d+ is live, and the old one \d+ runs as well, so fans could get both\. To go on: herald apply/,
    );
    await scene.service((control) => control.clearFaults());
    expect((await applied(scene)).code).toBe(0);
    expect((await liveOn(scene, '101', 'campaign')).map(({ text, status }) => `${text} ${status}`)).toEqual([
      'Hey paused',
      'Hello active',
    ]);
  });
});

describe('a service that stores something else than what was sent', () => {
  const paid = [{ id: '5', type: 'image', is_paid: true }];
  const priced = (price_gross: number) => [{ text: 'Hey', price_gross, attachments: paid }];

  it('is accepted with a warning, and never replaced for', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign({ messages: priced(9.99) })] }) });
    const stored = priced(10).map((message, step) => ({ step, ...message }));
    for (const operation of ['campaigns.create', 'campaigns.list'] as const)
      await scene.fault({ kind: 'odd_reply', operation, set: { messages: stored } });
    const run = await applied(scene);
    expect(run.code).toBe(0);
    expect(messages(run)).toContain('The service changed messages[0].price_gross while creating it.');
    expect(decisions(await planned(scene))).toEqual([]);
    expect((await applied(scene)).code).toBe(0);
    expect(await createsSent(scene)).toBe(1);
  });

  it('also when it is the name', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    await scene.fault({ kind: 'odd_reply', set: { name: 'WELCOME' } });
    const run = await applied(scene);
    expect(messages(run)).toBe('The service changed name while creating it.');
    expect(decisions(await planned(scene))).toEqual([]);
    expect((await applied(scene)).code).toBe(0);
    expect(await createsSent(scene)).toBe(1);
  });
});

const HOUR = 3_600_000;
const DELAYED = { rules: { send_delay_interval: { min_sec: 3600 } } };

describe('the old queue of a replaced campaign', () => {
  const queued = async (more: Record<string, unknown>) => {
    const scene = aScene({ files: declaring({ campaigns: [campaign(DELAYED)] }) });
    await applied(scene);
    await scene.service((control) => control.fireTrigger('101', 'welcome_message', 'f1'));
    Object.assign(
      scene.files.tree,
      declaring({ campaigns: [campaign({ ...DELAYED, messages: [{ text: 'Hello' }], ...more })] }),
    );
    return scene;
  };

  // CAMPAIGN-8
  it('is kept with old_queue: keep', async () => {
    const scene = await queued({});
    await applied(scene);
    expect(await statuses(scene, 'campaign')).toEqual(['paused', 'active']);
  });

  // CAMPAIGN-8
  it('is cleared with old_queue: clear, once the new one is live', async () => {
    const scene = await queued({ old_queue: 'clear' });
    expect((await applied(scene)).code).toBe(0);
    expect(await statuses(scene, 'campaign')).toEqual(['archived', 'active']);
    scene.clock.move(24 * HOUR);
    expect((await scene.oracle()).dispatches).toEqual([]);
  });
});

it('a run that finishes a replace says that someone has started the old version meanwhile', async () => {
  const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
  await applied(scene);
  const edited = campaign({ messages: [{ text: 'Hello' }], old_queue: 'clear' });
  Object.assign(scene.files.tree, declaring({ campaigns: [edited] }));
  await dieAtWrite(scene, 3);
  const [old] = await liveOn(scene, '101', 'campaign');
  const starts = {
    kind: 'campaign',
    account_id: '101',
    id: old?.id ?? '',
    set: { status: 'active' },
  } as const;
  await scene.fault({ kind: 'change_before', operation: 'campaigns.get', nth: 2, times: 99, edit: starts });
  const run = await applied(scene);
  expect(run.code).toBe(3);
  expect(messages(run)).toMatch(new RegExp(`^${old?.id} reads as active`));
});
