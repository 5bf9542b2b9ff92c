import { expect, it } from 'vitest';
import type { EventWriter } from '../../src/domain/event-store.ts';
import { GroupCommit } from '../../src/events/group-commit.ts';
import { anEvent } from '../helpers/event-builders.ts';

/** A disk that takes as long as the test wants. */
function aSlowWriter() {
  const calls: number[] = [];
  const writes: (() => void)[] = [];
  let failing: Error | null = null;
  const writer: EventWriter = {
    add: async (events) => {
      calls.push(events.length);
      await new Promise<void>((resolve) => writes.push(resolve));
      if (failing !== null) throw failing;
      return events.map(() => true);
    },
    close: () => Promise.resolve(),
  };
  return {
    writer,
    calls,
    finish: async () => {
      while (writes.length === 0) await Promise.resolve();
      writes.shift()?.();
    },
    fail: (error: Error | null) => (failing = error),
  };
}

it('what arrives during a write goes into one next write', async () => {
  const disk = aSlowWriter();
  const commit = new GroupCommit(disk.writer);
  const first = commit.add(anEvent({ id: 1 }));
  await Promise.resolve();
  await Promise.resolve();
  const others = Array.from({ length: 50 }, (_, number) => commit.add(anEvent({ id: number + 2 })));
  await disk.finish();
  await first;
  await disk.finish();
  await Promise.all(others);
  expect(disk.calls).toEqual([1, 50]);
});

it('a write has some megabytes at most, and an event that is larger goes alone', async () => {
  const disk = aSlowWriter();
  const commit = new GroupCommit(disk.writer);
  const sizes = [1, 5, 5, 2, 9, 1].map((megabytes) => megabytes * 1_048_576);
  const all = sizes.map((size, id) => commit.add({ ...anEvent({ id }), body: 'x'.repeat(size) }));
  for (let write = 0; write < 4; write += 1) await disk.finish();
  await Promise.all(all);
  expect(disk.calls).toEqual([2, 2, 1, 1]);
});

it('a failed write fails each of its events, and the next one can succeed', async () => {
  const disk = aSlowWriter();
  const commit = new GroupCommit(disk.writer);
  disk.fail(new Error('ENOSPC'));
  const lost = [commit.add(anEvent({ id: 1 })), commit.add(anEvent({ id: 2 }))];
  await disk.finish();
  expect(await Promise.allSettled(lost)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  expect(commit.problem).toEqual(new Error('ENOSPC'));
  disk.fail(null);
  const stored = commit.add(anEvent({ id: 1 }));
  await disk.finish();
  expect([await stored, commit.problem]).toEqual([true, null]);
});

it('closing waits for the events that were taken', async () => {
  const disk = aSlowWriter();
  const commit = new GroupCommit(disk.writer);
  let isStored = false;
  const stored = commit.add(anEvent({ id: 1 })).then(() => (isStored = true));
  const closed = commit.close();
  await disk.finish();
  await closed;
  await stored;
  expect(isStored).toBe(true);
});
