import { describe, expect, it } from 'vitest';
import type { Kernel } from '../../src/host/kernel.ts';
import { holderOf, holderText, lifeOf, type Holder, type Self } from '../../src/host/lock-holder.ts';

const BOOTED_MS = Date.UTC(2026, 5, 1, 6);
const STARTED = '2026-06-01T12:00:00.000Z';
const DAY_MS = 86_400_000;

/** A kernel on which process 1 and 100 run, each begun at a time of its own. */
const kernel = (boot: string, namespace: string): Kernel => ({
  boot,
  namespace,
  startOf: (pid) => (pid === 1 || pid === 100 ? `began-${pid}` : null),
});
const self = (more: Partial<Self> = {}): Self => ({
  pid: 100,
  host: 'here',
  isAlive: (pid) => pid === 1 || pid === 100,
  kernel: kernel('boot-1', 'ns-1'),
  bootedMs: BOOTED_MS,
  ...more,
});
const holder = (more: Partial<Holder> = {}): Holder => ({
  pid: 1,
  host: 'here',
  started_at: STARTED,
  boot: 'boot-1',
  namespace: 'ns-1',
  process_start: 'began-1',
  ...more,
});
/** As an earlier version wrote it, and as any version writes it outside of Linux. */
const bare = (more: Partial<Holder> = {}): Holder => ({ pid: 1, host: 'here', started_at: STARTED, ...more });

describe('the holder of a lock', () => {
  it.each<[string, Holder | null, string]>([
    ['runs', holder(), 'alive'],
    ['is this very process', holder({ pid: 100, process_start: 'began-100' }), 'alive'],
    ['is gone', holder({ pid: 7 }), 'dead'],
    ['is gone, and its number is another process’s', holder({ process_start: 'began-earlier' }), 'dead'],
    ['is gone, and its number is our own', holder({ pid: 100, process_start: 'began-earlier' }), 'dead'],
    ['ran before the machine was started again', holder({ boot: 'boot-0' }), 'perhaps_dead'],
    ['ran in another container of our name', holder({ namespace: 'ns-2' }), 'perhaps_dead'],
    ['runs on another machine', holder({ host: 'there', pid: 7 }), 'alive'],
    ['did not say who it is', null, 'perhaps_dead'],
    ['told only its number, and no process has that', bare({ pid: 7 }), 'dead'],
    ['told only its number, and a process has that', bare(), 'alive'],
    ['told only its number, and that is our own', bare({ pid: 100 }), 'perhaps_dead'],
    [
      'told only its number, and began before the machine',
      bare({ started_at: '2026-06-01T05:00:00.000Z' }),
      'perhaps_dead',
    ],
  ])('%s', (_, one, life) => {
    expect(lifeOf(one, 0, self())).toBe(life);
  });

  it.each([holder(), holder({ host: 'there' })])(
    'is looked at where no one has refreshed its lock for a day: %j',
    (one) => {
      expect(lifeOf(one, DAY_MS - 1, self())).toBe('alive');
      expect(lifeOf(one, DAY_MS, self())).toBe('perhaps_dead');
    },
  );

  it('is judged by its number alone where the system says no more', () => {
    const plain = self({ kernel: null });
    expect(lifeOf(holder({ pid: 7 }), 0, plain)).toBe('dead');
    expect(lifeOf(holder(), 0, plain)).toBe('alive');
    expect(lifeOf(holder({ pid: 100 }), 0, plain)).toBe('perhaps_dead');
  });

  it('says who it is, and what is not a holder says nothing', () => {
    expect(holderOf(holderText(self(), STARTED))).toEqual(holder({ pid: 100, process_start: 'began-100' }));
    expect(holderOf(holderText(self({ kernel: null }), STARTED))).toEqual(bare({ pid: 100 }));
    for (const text of [null, '', '{', 'null', '[]', '{"pid":"1","host":"here"}', '{"pid":1}'])
      expect(holderOf(text), String(text)).toBeNull();
  });
});
