import { expect, it } from 'vitest';
import { createEvent } from '../../src/events/event.ts';
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
  // What happened just now is left to the next comparison.
  await scene.clock.sleep(300_000);
  return scene;
}

it('events reconcile stores what lists show once, and says what no list can show', async () => {
  const scene = await missed();
  const first = await scene.herald('events', 'reconcile', '--since', '1h');
  expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('3 events had not come')]);
  expect(first.stdout).toContain('fans.tip.received: 2');
  expect(first.stdout).toContain('Events about blocked messages may be missing too');
  const again = await scene.herald('events', 'reconcile', '--since', '1h', '--format', 'json');
  expect(JSON.parse(again.stdout)).toMatchObject({ item: { added: 0 } });
  const flags = ['--kind', 'fans.tip.received', '--columns', 'account,source', '--format', 'csv'];
  const { stdout } = await scene.herald('events', 'list', ...flags);
  expect(stdout).toBe('account,source\nalice,list\nalice,list\n');
});

it('an event that came is not stored a second time, also if it does not say which payment it is', async () => {
  const scene = await missed();
  const event = { event: 'fans.tip.received', account_id: 101, fan: { id: '5550001' }, amount: 5 };
  const body = JSON.stringify({ ...event, created_at: '2026-06-01T12:00:00.000Z' });
  await addAll(scene.events, createEvent(Buffer.from(body), NOON));
  const { stdout } = await scene.herald('events', 'reconcile', '--since', '1h', '--format', 'json');
  expect(JSON.parse(stdout)).toMatchObject({ item: { added: 2, by_kind: { 'fans.tip.received': 1 } } });
});
