import { constants, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { GroupCommit } from '../../src/events/group-commit.ts';
import { confinedTo } from '../../src/host/confined.ts';
import { segmentFiles, type SegmentFiles } from '../../src/host/event-segments.ts';
import { FileEventWriter } from '../../src/host/file-event-writer.ts';
import { RecentKeys } from '../../src/host/recent-keys.ts';
import { anEvent } from '../helpers/event-builders.ts';

const CLOCK = { now: () => Date.UTC(2026, 5, 1, 12) };

/** A writer of events in a new folder, and the lines that are there. */
function aWriter(change: (files: SegmentFiles) => Partial<SegmentFiles>) {
  const directory = mkdtempSync(join(tmpdir(), 'herald-events-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const files = segmentFiles(confinedTo(directory));
  const writer = new FileEventWriter({ ...files, ...change(files) }, new RecentKeys(), CLOCK);
  const lines = () => {
    const folder = join(directory, '.herald/events');
    const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    return texts.flatMap((text) => text.split('\n').filter((line) => line !== ''));
  };
  return { writer, lines };
}

it('resolves after its lines are on the disk, and not before', async () => {
  const calls: string[] = [];
  const { writer } = aWriter((files) => ({
    append: async (handle, text) => {
      await files.append(handle, text);
      calls.push('on the disk');
    },
  }));
  await writer.add([anEvent({ id: 1 })]);
  calls.push('resolved');
  expect(calls).toEqual(['on the disk', 'resolved']);
  await writer.close();
});

it('writes to a file that it has opened so that a write ends on the disk', async () => {
  let flags = '';
  const { writer } = aWriter((files) => ({
    append: async (handle, text) => {
      flags = readFileSync(`/proc/self/fdinfo/${handle.fd}`, 'utf8');
      await files.append(handle, text);
    },
  }));
  await writer.add([anEvent({ id: 1 })]);
  expect(Number.parseInt(/flags:\s+(\d+)/.exec(flags)?.[1] ?? '0', 8) & constants.O_DSYNC).toBe(
    constants.O_DSYNC,
  );
  await writer.close();
});

it('a full disk fails the events of a write, and the next ones are stored once there is space', async () => {
  let isFull = true;
  const { writer, lines } = aWriter((files) => ({
    create: async (name) => (isFull ? open('/dev/full', 'a') : files.create(name)),
    isAt: (name, identity) => isFull || files.isAt(name, identity),
  }));
  const commit = new GroupCommit(writer);
  await expect(commit.add(anEvent({ id: 1 }))).rejects.toThrow('ENOSPC');
  expect(String(commit.problem)).toContain('ENOSPC');
  isFull = false;
  expect(await commit.add(anEvent({ id: 1 }))).toBe(true);
  expect([commit.problem, lines().length]).toEqual([null, 1]);
  await commit.close();
});

it('a part of a line that a full disk left is removed before the next event', async () => {
  let isFull = false;
  const { writer, lines } = aWriter((files) => ({
    append: async (handle, text) => {
      await files.append(handle, isFull ? text.slice(0, 20) : text);
      if (isFull) throw new Error('ENOSPC: no space left on device');
    },
  }));
  await writer.add([anEvent({ id: 1 })]);
  isFull = true;
  await expect(writer.add([anEvent({ id: 2 })])).rejects.toThrow('ENOSPC');
  isFull = false;
  expect(await writer.add([anEvent({ id: 2 }), anEvent({ id: 3 })])).toEqual([true, true]);
  expect(lines().map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(['1', '2', '3']);
  await writer.close();
});

it('a file that begins after the clock was set back sorts after the one before', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'herald-events-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const files = segmentFiles(confinedTo(directory));
  const clock = { ms: CLOCK.now(), now: () => clock.ms };
  const writer = new FileEventWriter(files, new RecentKeys(), clock);
  await writer.add([anEvent({ id: 1 })]);
  clock.ms -= 3 * 86_400_000;
  await writer.add([anEvent({ id: 2 }, clock.ms)]);
  await writer.close();
  const folder = join(directory, '.herald/events');
  const texts = (await files.list()).map((name) => readFileSync(join(folder, name), 'utf8'));
  expect(texts.map((text) => (JSON.parse(text) as { id: string }).id)).toEqual(['1', '2']);
});
