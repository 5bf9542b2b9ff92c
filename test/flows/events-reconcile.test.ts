import { expect, it } from 'vitest';
import { EVENTS_BEGIN } from '../../src/domain/event-store.ts';
import { receivedEvent } from '../../src/events/received.ts';
import { ReadMarks } from '../../src/operations/events/reconcile-events.ts';
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
  const flags = ['--kind', 'fans.tip.received', '--columns', 'account,source', '--format', 'csv'];
  const { stdout } = await scene.herald('events', 'list', ...flags);
  expect(stdout).toBe('account,source\nalice,list\nalice,list\n');
});

it('a later comparison reads on from the last one, and not the whole store', async () => {
  const scene = await missed();
  const old = Array.from({ length: 500 }, (_, number) =>
    receivedEvent(Buffer.from(`{"event":"other.kind","event_id":${number}}`), NOON - 3_600_000),
  );
  await addAll(scene.events, ...old);
  await scene.herald('events', 'reconcile');
  let given = 0;
  const { read } = scene.events;
  scene.events.read = (from, take, filter) => {
    const counted: typeof take = (...parts) => {
      given += 1;
      take(...parts);
    };
    return read(from, counted, filter);
  };
  await scene.herald('events', 'reconcile', '--format', 'json');
  expect(given).toBeLessThan(20);
});

it('while it listens, each comparison begins at the mark of one that covers its range', () => {
  const marks = new ReadMarks();
  const at = (minutes: number) => NOON + minutes * 60_000;
  const compared = (minutes: number) =>
    marks.add({
      from: '',
      to: new Date(at(minutes)).toISOString(),
      added: [],
      holes: [],
      nextMs: 0,
      position: minutes + 1,
    });
  expect(marks.before(null)).toBe(EVENTS_BEGIN);
  for (const minutes of [0, 10, 20, 30]) compared(minutes);
  // Ten minutes before the range: clocks may differ.
  expect(marks.before(at(5))).toBe(EVENTS_BEGIN);
  expect(marks.before(at(25))).toBe(11);
  expect(marks.before(at(45))).toBe(31);
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
