import {
  EVENTS_BEGIN,
  isSelected,
  type EventFilter,
  type EventPosition,
  type EventStore,
  type StoredEvent,
} from '../domain/event-store.ts';
import type { Clock } from '../domain/ports.ts';
import { eachLine } from './byte-lines.ts';
import type { Place } from './confined.ts';
import {
  EVENTS_FOLDER,
  isAfterDayOf,
  isBeforeDayOf,
  segmentFiles,
  type SegmentFiles,
} from './event-segments.ts';
import type { RecentKeys } from './recent-keys.ts';

/**
 * Events as lines of files in `.herald/events`. Each receiver adds to a file of its own, and begins a new one each day
 * or when its file is taken away. A file is renamed before some of its lines are removed: what the receiver adds
 * meanwhile goes to the next file.
 */
export function fileEventStore(place: Place, clock: Pick<Clock, 'now'>): EventStore {
  const files = segmentFiles(place);
  return {
    name: EVENTS_FOLDER,
    openToAdd: async () => {
      const { FileEventWriter } = await import('./file-event-writer.ts');
      return new FileEventWriter(files, await knownKeys(files), clock);
    },
    read: (from, take, filter = {}) => readAfter(files, from, take, filter),
    end: async () => {
      const reached: Record<string, number> = {};
      for (const name of await files.list()) reached[name] = await files.wholeBytes(name);
      return JSON.stringify(reached);
    },
    // A receiver looks for old events each hour, next to its senders, so it must not read all that it has.
    dropBefore: (instant) =>
      remove(
        files,
        ({ received_at: at }) => at < instant,
        (name) => !isAfterDayOf(instant, name),
      ),
    erase: (isErased) => remove(files, isErased),
  };
}

/** Bytes that were read of each file, by its name. */
type Reached = Readonly<Record<string, number>>;

async function readAfter(
  files: SegmentFiles,
  from: EventPosition,
  take: (event: StoredEvent) => void,
  filter: EventFilter,
): Promise<{ position: EventPosition; damaged: number }> {
  const known = from === EVENTS_BEGIN ? {} : (JSON.parse(from) as Reached);
  const reached: Record<string, number> = {};
  let damaged = 0;
  let taken = 0;
  const count = (event: StoredEvent) => {
    taken += 1;
    take(event);
  };
  for (const name of await files.list()) {
    if (taken >= (filter.enough ?? Number.POSITIVE_INFINITY)) {
      reached[name] = known[name] ?? 0;
      continue;
    }
    if (filter.since !== undefined && isBeforeDayOf(filter.since, name)) {
      reached[name] = known[name] ?? (await files.wholeBytes(name));
      continue;
    }
    const { bytes, bad } = await readSegment(files, name, known[name] ?? 0, count, filter);
    reached[name] = bytes;
    damaged += bad;
  }
  return { position: JSON.stringify(reached), damaged };
}

/** A last line without its end is being written, or was cut off by a crash: it was not acknowledged. */
async function readSegment(
  files: SegmentFiles,
  name: string,
  from: number,
  take: (event: StoredEvent) => void,
  filter: EventFilter = {},
): Promise<{ readonly bytes: number; readonly bad: number }> {
  // The quotation marks of a body are escaped, so this is the kind of the event and nothing else.
  const kind = filter.kind === undefined ? '' : `"kind":${JSON.stringify(filter.kind).slice(0, -1)}`;
  let bytes = from;
  let bad = 0;
  await files.withBytes(name, from, async (pieces) => {
    await eachLine(pieces, (text, length) => {
      bytes += length;
      if (text === '' || !text.includes(kind)) return;
      const event = parseEvent(text);
      if (event === null) bad += 1;
      else if (isSelected(event, filter)) take(event);
    });
  });
  return { bytes, bad };
}

/** Null for a line that is not an event. Only Herald writes these files, so the members are not checked. */
function parseEvent(text: string): StoredEvent | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'key' in value && 'body' in value
      ? (value as StoredEvent)
      : null;
  } catch {
    return null;
  }
}

/** The newest keys of all files, read from the newest file back. */
async function knownKeys(files: SegmentFiles): Promise<RecentKeys> {
  const { RECENT_KEYS_MIN, RecentKeys: Keys } = await import('./recent-keys.ts');
  const segments: { readonly key: string; readonly atMs: number }[][] = [];
  let count = 0;
  for (const name of (await files.list()).toReversed()) {
    const keys: { key: string; atMs: number }[] = [];
    await readSegment(files, name, 0, ({ key, received_at: at }) => keys.push({ key, atMs: Date.parse(at) }));
    segments.unshift(keys);
    count += keys.length;
    if (count >= RECENT_KEYS_MIN) break;
  }
  const known = new Keys();
  for (const { key, atMs } of segments.flat()) known.add(key, atMs);
  return known;
}

async function remove(
  files: SegmentFiles,
  isRemoved: (event: StoredEvent) => boolean,
  mayHave: (name: string) => boolean = () => true,
): Promise<number> {
  let removed = 0;
  for (const name of (await files.list()).filter(mayHave)) {
    let inThis = 0;
    await readSegment(files, name, 0, (event) => void (inThis += isRemoved(event) ? 1 : 0));
    if (inThis === 0) continue;
    const sealed = await files.seal(name);
    const kept: string[] = [];
    await readSegment(files, sealed, 0, (event) => {
      if (isRemoved(event)) removed += 1;
      else kept.push(`${JSON.stringify(event)}\n`);
    });
    await files.replace(sealed, kept.join(''));
  }
  return removed;
}
