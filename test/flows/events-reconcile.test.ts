import { expect, it } from 'vitest';
import { receivedEvent } from '../../src/events/received.ts';
import { addAll } from '../helpers/event-builders.ts';
import { aScene, NOON } from '../helpers/scene.ts';

const fan = { account_id: '101', fan_id: '5550001' } as const;

/** A world in which a fan tipped twice, and bought once. No receiver was there. */
async function missed() {
  const scene = aScene({ world: { nowMs: NOON, data: { transactions: 0, subscriptions: 0 } } });
  await scene.service((control) => {
    control.fanActs({ ...fan, does: 'tip', amount: 5 });
    control.advance(60_000);
    control.fanActs({ ...fan, does: 'tip', amount: 5 });
    control.fanActs({ ...fan, does: 'purchase', amount: 9 });
    control.advance(60_000);
  });
  return scene;
}

it('events reconcile stores what lists show once, and names what no list can show', async () => {
  const scene = await missed();
  const first = await scene.herald('events', 'reconcile', '--since', '1h');
  expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('3 events had not come')]);
  expect(first.stdout).toContain('fans.tip.received: 2');
  expect(first.stdout).toContain('Blocked messages of that time may be unknown');
  const again = await scene.herald('events', 'reconcile', '--since', '1h', '--format', 'json');
  expect(JSON.parse(again.stdout)).toMatchObject({ item: { added: 0 } });
  const { stdout } = await scene.herald('events', 'stats', '--format', 'csv');
  expect(stdout).toContain('fans.tip.received,alice,list,2,');
});

it('an event that comes late replaces its copy from the list with the next comparison', async () => {
  const scene = await missed();
  await scene.herald('events', 'reconcile', '--since', '1h');
  const late = { event: 'fans.tip.received', account_id: 101, fan: { id: '5550001' }, amount: 5 };
  const body = JSON.stringify({ ...late, created_at: '2026-06-01T12:00:00.000Z' });
  await addAll(scene.events, receivedEvent(Buffer.from(body), NOON + 180_000));
  await scene.herald('events', 'reconcile', '--since', '1h');
  const { stdout } = await scene.herald('events', 'list', '--kind', 'fans.tip.*', '--format', 'csv');
  const sources = stdout.split(/\r?\n/).map((line) => line.split(',').at(-1));
  expect(sources).toEqual(['source', 'webhook', 'list', '']);
});
