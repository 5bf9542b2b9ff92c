import { LEDGER_FILE } from '../../helpers/scene.ts';
import { isAbout, lineOf, type Line } from '../ledger-lines.ts';
import type { Write } from '../writes.ts';
import type { Facts } from './facts.ts';

/** Uploads may begin again as often as anybody likes; only their export is on record. */
const UNRECORDED: readonly Write['kind'][] = ['upload', 'other'];

/** A line may be so old, and the request that goes by it may take so long to leave. */
const NOTED_MS = 11_000;

/** Writes that have passed their check leave with the one at which the lock was lost. */
const SAME_MOMENT_MS = 100;

/**
 * A write that leaves before the ledger has an open entry for it, or long after: were the process killed now, no one
 * would know of it, or everybody would take it for older than it is.
 */
export function unrecorded({ sent: { write, process, request } }: Facts): string[] {
  if (UNRECORDED.includes(write.kind)) return [];
  const { scene, clock } = process.actor;
  const entries = openEntries(scene.files.tree[LEDGER_FILE] ?? '').filter(({ line }) => isAbout(line, write));
  if (entries.length === 0) return [`request ${request} (${write.kind}) left before it was on record`];
  const latestMs = Math.max(...entries.map(({ notedMs }) => notedMs));
  const sec = Math.round((clock.now() - latestMs) / 1000);
  // Anyone who finds it without an end waits from there.
  return sec * 1000 > NOTED_MS && !clock.wasJustSet()
    ? [`request ${request} (${write.kind}) left ${sec} s after the last line about it`]
    : [];
}

/** Anyone who has lost the lock sends nothing more: another run goes by the same ledger. A stop by hand needs no lock. */
export function withoutLock({ sent: { write, process, request, sentMs } }: Facts): string[] {
  const { lockLostMs, run } = process;
  if (lockLostMs === null || sentMs - lockLostMs <= SAME_MOMENT_MS || write.kind === 'upload') return [];
  if (run.command.kind === 'by hand') return [];
  return [`request ${request} (${write.kind}) was sent although the lock was lost`];
}

/**
 * Whether the ledger that a write goes by says that Herald made the object. If no line has the answer of a create, that
 * create may have made it, and so may another person.
 */
export function isRecordedAsMade({ sent: { process } }: Facts, id: string): boolean {
  const lines = (process.actor.scene.files.tree[LEDGER_FILE] ?? '').split('\n').map(lineOf);
  const creates = new Set(lines.filter(({ call }) => call === 'create').map(({ entry }) => entry));
  return lines.some(
    ({ type, live_id: liveId, entry, outcome }) =>
      liveId === id &&
      (type === 'known' || (creates.has(entry) && (outcome === 'done' || outcome === 'adopted'))),
  );
}

/** Whether its ledger says that an object is Herald's: made by it, or seen by it as the files have it. */
export function isRecordedAsOurs(facts: Facts, id: string): boolean {
  const lines = (facts.sent.process.actor.scene.files.tree[LEDGER_FILE] ?? '').split('\n').map(lineOf);
  return (
    isRecordedAsMade(facts, id) || lines.some(({ type, live_id: liveId }) => type === 'seen' && liveId === id)
  );
}

/** An entry without an end, and when its last line was written, by the machine's clock. */
interface Entry {
  readonly line: Line;
  readonly notedMs: number;
}

function openEntries(text: string): readonly Entry[] {
  const open = new Map<unknown, Entry>();
  for (const part of text.split('\n')) {
    const line = lineOf(part);
    const { type, entry, outcome } = line;
    const notedMs = Date.parse(String(line['at']));
    if (type === 'intent' || type === 'act') open.set(entry, { line, notedMs });
    if (type !== 'outcome') continue;
    const known = open.get(entry);
    if (outcome === 'unknown' && known !== undefined) open.set(entry, { ...known, notedMs });
    else open.delete(entry);
  }
  return [...open.values()];
}
