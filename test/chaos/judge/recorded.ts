import { LEDGER_FILE } from '../../helpers/scene.ts';
import type { Write } from '../writes.ts';
import type { Facts } from './facts.ts';

/** Uploads may begin again as often as anybody likes; only their export is on record. */
const UNRECORDED: readonly Write['kind'][] = ['upload', 'other'];

/** Writes that have passed their check leave with the one at which the lock was lost. */
const SAME_MOMENT_MS = 100;

/** A write that leaves before the ledger has an open entry for it: were the process killed now, nobody would know. */
export function unrecorded({ sent: { write, process, request } }: Facts): string[] {
  if (UNRECORDED.includes(write.kind)) return [];
  const entries = openEntries(process.actor.scene.files.tree[LEDGER_FILE] ?? '');
  const isOnRecord = entries.some((line) => isAbout(line, write));
  return isOnRecord ? [] : [`request ${request} (${write.kind}) left before it was on record`];
}

/** Whoever has lost the lock sends nothing more: another run goes by the same ledger. A stop by hand needs no lock. */
export function withoutLock({ sent: { write, process, request, sentMs } }: Facts): string[] {
  const { lockLostMs, run } = process;
  if (lockLostMs === null || sentMs - lockLostMs <= SAME_MOMENT_MS || write.kind === 'upload') return [];
  if (run.command.kind === 'by hand') return [];
  return [`request ${request} (${write.kind}) was sent although the lock was lost`];
}

type Line = Readonly<Record<string, unknown>>;

function openEntries(text: string): readonly Line[] {
  const open = new Map<unknown, Line>();
  for (const part of text.split('\n')) {
    const line = lineOf(part);
    if (line['type'] === 'intent' || line['type'] === 'act') open.set(line['entry'], line);
    if (line['type'] === 'outcome' && line['outcome'] !== 'unknown') open.delete(line['entry']);
  }
  return [...open.values()];
}

/** A line that a crash has cut says nothing. */
function lineOf(text: string): Line {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return {};
  }
}

function isAbout(line: Line, write: Write): boolean {
  switch (write.kind) {
    case 'create':
      return line['type'] === 'intent' && line['call'] === 'create' && line['name'] === write.name;
    case 'status':
      return line['type'] === 'intent' && line['call'] !== 'create' && line['live_id'] === write.id;
    default:
      return line['type'] === 'act' && line['operation'] === OPERATION[write.kind];
  }
}

const OPERATION: Readonly<Record<string, string>> = {
  payout: 'payouts.request',
  chat: 'chat.send',
  follow: 'fans.follow',
  label: 'fans.label',
};
