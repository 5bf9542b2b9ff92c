import { expect, it } from 'vitest';
import { applyReportShape } from '../../src/domain/change.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  createsSent,
  decisions,
  documentOf,
  interruptAfter,
  liveOn,
  messages,
  outcomes,
  planned,
  standing,
  statuses,
} from '../helpers/flows.ts';
import { aScene } from '../helpers/scene.ts';
import { ACTIVE, APPLY, CHANGED, live, PAUSE } from './live-scene.ts';

// CONTENT-24
it('replace: create_first creates before it pauses: it says that both are live when the pause fails, and the next run ends that', async () => {
  const scene = await standing(declaring({ campaigns: [campaign()] }));
  const other = { messages: [{ text: 'Hello' }], replace: 'create_first' };
  Object.assign(scene.files.tree, declaring({ campaigns: [campaign(other)] }));
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

it('a service that stores something else than what was sent is a warning, and never replaced for', async () => {
  const paid = [{ id: '5', type: 'image', is_paid: true }];
  const priced = (price_gross: number) => [{ text: 'Hey', price_gross, attachments: paid }];
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

const DELAYED = { rules: { send_delay_interval: { min_sec: 3600 } } };

const queued = async (more: Record<string, unknown>) => {
  const scene = await standing(declaring({ campaigns: [campaign(DELAYED)] }));
  await scene.service((control) =>
    control.fireTrigger({ account_id: '101', trigger: 'welcome_message', fan_id: 'f1' }),
  );
  const second = campaign({ ...DELAYED, messages: [{ text: 'Hello' }], ...more });
  Object.assign(scene.files.tree, declaring({ campaigns: [second] }));
  return scene;
};

// CAMPAIGN-8
it('the old queue of a replaced campaign is kept with old_queue: keep, and cleared with old_queue: clear once the new one is live', async () => {
  const kept = await queued({});
  await applied(kept);
  expect(await statuses(kept, 'campaign')).toEqual(['paused', 'active']);
  const scene = await queued({ old_queue: 'clear' });
  expect((await applied(scene)).code).toBe(0);
  expect(await statuses(scene, 'campaign')).toEqual(['archived', 'active']);
  scene.clock.move(24 * 3_600_000);
  expect((await scene.oracle()).dispatches).toEqual([]);
});

it('a replace that has begun is brought to its end after an interrupt: nothing is left switched off', async () => {
  const two = (first: string, second: string) =>
    declaring({
      campaigns: [
        campaign({ messages: [{ text: first }] }),
        campaign({ name: 'Xmas', messages: [{ text: second }] }),
      ],
    });
  const scene = await standing(two('Hey', 'X'));
  Object.assign(scene.files.tree, two('A', 'B'));
  const ran = await interruptAfter(scene, 'end', [...APPLY, '--format', 'json']);
  expect(ran.code).toBe(130);
  expect(outcomes({ report: documentOf(ran, applyReportShape) })).toEqual([
    'replace applied',
    'replace not_attempted',
  ]);
  expect(await statuses(scene, 'campaign')).toEqual(['paused', 'active', 'active']);
});

it.each(['pause', 'archive'])('no apply undoes the %s of a person while it is replaced', async (stop) => {
  for (let moment = 1, isOver = false; !isOver; moment += 1) {
    const { scene, apply, statuses: liveStatuses } = await live(ACTIVE);
    Object.assign(scene.files.tree, CHANGED);
    let passed = 0;
    // Before each use of the state.
    const gate = async () => {
      passed += 1;
      if (passed === moment) await scene.herald('campaigns', stop, 'alice/campaign/Welcome', '--yes');
    };
    await scene.startAs({ gate }, ...APPLY).ran;
    isOver = passed < moment;
    if (isOver) expect(moment).toBeGreaterThan(10);
    if (!isOver) await apply();
    const active = liveStatuses().filter((status) => status === 'active');
    expect(active, `stopped at moment ${moment}`).toHaveLength(isOver ? 1 : 0);
  }
});

it('a create without an answer that a person stops meanwhile is adopted, and the report says who stopped it', async () => {
  const { scene, on, apply } = await live({});
  on.create = async (answer) => {
    delete on.create;
    await answer();
    on.read = async (read) => {
      delete on.read;
      await scene.herald(...PAUSE);
      return read();
    };
    throw new TypeError('fetch failed');
  };
  const ran = await apply(ACTIVE, '--format', 'json');
  const [outcome] = documentOf(ran, applyReportShape).outcomes;
  expect([ran.code, outcome], ran.stderr).toMatchObject([
    0,
    { outcome: 'adopted', message: expect.stringContaining('Stopped by hand with Herald') },
  ]);
  expect((await scene.herald('state', 'show')).stdout).toContain('No request is unconfirmed.');
});
