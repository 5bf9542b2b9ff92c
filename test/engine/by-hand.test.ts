import { expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { campaigns, startLive, summariseResults, type RunOptions } from './engine-scene.ts';
import { fullDisk } from './run-scene.ts';

it('a stop by hand waits five seconds for a read, and is sent then', async () => {
  const { scene, made } = await startLive();
  scene.control.addFault({ kind: 'slow', operation: 'campaigns.get', delay_ms: 60_000, nth: 1 });
  const begunMs = scene.clock.now();
  expect(summariseResults(await scene.pauseByHand(made?.liveId ?? ''))).toEqual(['pause applied']);
  expect(scene.clock.now() - begunMs).toBeLessThan(10_000);
  expect(campaigns(scene)).toEqual({ paused: 1 });
});

it('a stop by hand is sent although the state cannot record it, and says so', async () => {
  const { scene, made } = await startLive();
  const stopped = await scene.pauseByHand(made?.liveId ?? '', { through: (run) => fullDisk(run, 'begin') });
  expect(campaigns(scene)).toEqual({ paused: 1 });
  expect(summariseResults(stopped)).toEqual(['pause applied not-on-record']);
});

it('a start by hand is not sent if the state cannot record it', async () => {
  const { scene, made } = await startLive();
  await scene.pauseByHand(made?.liveId ?? '');
  const through: RunOptions['through'] = (run) => fullDisk(run, 'begin');
  const started = await scene.apply({ mode: 'by-hand', allow: ['resume'], through });
  expect(summariseResults(started)).toEqual(['activate failed unrecorded']);
  expect(campaigns(scene)).toEqual({ paused: 1 });
});

// ERROR-8
it('a stop by hand that left next to a start stops what it made, also if the start is answered first', async () => {
  const { scene, made } = await startLive();
  Object.assign(scene.files, declaring({ campaigns: [campaign({ messages: [{ text: 'Other words' }] })] }));
  scene.control.addFault({ kind: 'slow', operation: 'campaigns.create', delay_ms: 5_000, nth: 1 });
  scene.control.addFault({ kind: 'slow', operation: 'campaigns.set-status', delay_ms: 10_000, nth: 2 });
  const replacing = scene.apply();
  await scene.clock.sleep(1_000);
  const stopped = await scene.pauseByHand(made?.liveId ?? '');
  await replacing;
  expect(campaigns(scene)).toEqual({ paused: 2 });
  expect(summariseResults(stopped)).toContain('pause applied');
});
