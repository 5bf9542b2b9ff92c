import { randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { EventWriter, StoredEvent } from '../domain/event-store.ts';
import type { Clock } from '../domain/ports.ts';
import type { SegmentFiles } from './event-segments.ts';
import type { RecentKeys } from './recent-keys.ts';

const SEGMENT_BYTES_MAX = 64 * 1024 * 1024;

interface Segment {
  readonly name: string;
  readonly day: string;
  readonly handle: FileHandle;
  readonly identity: string;
  /** Up to here it has whole lines. */
  bytes: number;
}

/** Adds events to a file that no other receiver writes to: one write and one sync for all events of a call. */
export class FileEventWriter implements EventWriter {
  readonly #files: SegmentFiles;
  readonly #known: RecentKeys;
  readonly #clock: Pick<Clock, 'now'>;
  #segment: Segment | null = null;

  constructor(files: SegmentFiles, known: RecentKeys, clock: Pick<Clock, 'now'>) {
    this.#files = files;
    this.#known = known;
    this.#clock = clock;
  }

  async add(events: readonly StoredEvent[]): Promise<readonly boolean[]> {
    const inCall = new Set<string>();
    const isNew = events.map(({ key, received_at: at }) => {
      if (inCall.has(key) || this.#known.has(key, Date.parse(at))) return false;
      inCall.add(key);
      return true;
    });
    const fresh = events.filter((_, index) => isNew[index]);
    if (fresh.length > 0) await this.#write(fresh.map((event) => `${JSON.stringify(event)}\n`).join(''));
    for (const { key, received_at: at } of fresh) this.#known.add(key, Date.parse(at));
    return isNew;
  }

  async close(): Promise<void> {
    await this.#segment?.handle.close();
    this.#segment = null;
  }

  /** If the file was taken away meanwhile, what was written may be missing in it. It is written once more. */
  async #write(text: string): Promise<void> {
    for (;;) {
      const segment = await this.#current();
      try {
        await this.#files.append(segment.handle, text);
      } catch (error) {
        await this.#cutOff(segment);
        throw error;
      }
      segment.bytes += Buffer.byteLength(text);
      if (this.#files.isAt(segment.name, segment.identity)) return;
      await this.close();
    }
  }

  async #current(): Promise<Segment> {
    const nowMs = this.#clock.now();
    const instant = new Date(nowMs).toISOString();
    const day = instant.slice(0, 10);
    const known = this.#segment;
    if (known !== null && known.day === day && known.bytes < SEGMENT_BYTES_MAX) return known;
    await this.close();
    const name = `${stemAfter((await this.#files.list()).at(-1), nowMs)}-${randomUUID().slice(0, 8)}.jsonl`;
    const handle = await this.#files.create(name);
    this.#segment = { name, day, handle, identity: await this.#files.identityOf(handle), bytes: 0 };
    return this.#segment;
  }

  /** Removes a part of a line. If that fails too, the next event begins a new file. */
  async #cutOff({ handle, bytes }: Segment): Promise<void> {
    try {
      await handle.truncate(bytes);
      await handle.datasync();
    } catch {
      await this.close().catch(() => undefined);
      this.#segment = null;
    }
  }
}

const STEM = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})/;

/** The time as the beginning of a name that sorts after the last one, also if the clock was set back. */
function stemAfter(last: string | undefined, nowMs: number): string {
  const lastMs = Date.parse((last ?? '').replace(STEM, '$1-$2-$3T$4:$5:$6.$7Z|').split('|', 1)[0] ?? '');
  const beginMs = Number.isNaN(lastMs) ? nowMs : Math.max(nowMs, lastMs + 1);
  return new Date(beginMs).toISOString().replace(/[-:.Z]/g, '');
}
