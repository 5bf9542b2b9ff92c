import { LEDGER_FILE } from '../helpers/scene.ts';
import type { Damage } from './shape.ts';
import type { Actor, Chaos } from './state.ts';

/**
 * Makes the last line of a kind unreadable in the ledger of one operator, or puts one before it that a crash has cut
 * short; where there is none of that kind, nothing happens.
 */
export function damageLedger({ actors, tell }: Chaos, { operator, line: kind, how }: Damage): void {
  const actor = actors[operator];
  if (actor === undefined || actor.damage !== null) return;
  const lines = (actor.scene.files.tree[LEDGER_FILE] ?? '').split('\n');
  // A line that a crash cut short is none yet.
  const place = lines.slice(0, -1).findLastIndex((line) => isOf(kind, line));
  const whole = lines[place];
  if (whole === undefined) return;
  const damaged = DAMAGED[how](whole);
  actor.damage = { whole, damaged };
  actor.scene.files.tree[LEDGER_FILE] = lines.with(place, damaged).join('\n');
  tell(
    how === 'cut'
      ? `The ledger of ${actor.name} gets a ${kind} line that a crash has cut short`
      : `A ${kind} line in the ledger of ${actor.name} cannot be read any more`,
  );
}

const DAMAGED: Readonly<Record<Damage['how'], (whole: string) => string>> = {
  garbled: (whole) => whole.replace(',"', ',#'),
  'merge mark': () => '<<<<<<< ours',
  // Its request never left, and the line after it was written by another run.
  cut: (whole) => `${whole.slice(0, whole.indexOf('"type":') + '"type":"'.length)}\n${whole}`,
};

/** Restores the line, as a person does with the help of git. */
export function repairLedger({ tell }: Chaos, actor: Actor): void {
  if (actor.damage === null) return;
  const { whole, damaged } = actor.damage;
  actor.damage = null;
  const text = actor.scene.files.tree[LEDGER_FILE];
  if (text === undefined) return;
  actor.scene.files.tree[LEDGER_FILE] = text.replace(damaged, () => whole);
  tell(`The ledger of ${actor.name} is repaired`);
}

function isOf(kind: Damage['line'], line: string): boolean {
  if (kind === 'create') return line.includes('"type":"intent"') && line.includes('"call":"create"');
  if (kind === 'status') return line.includes('"type":"intent"') && !line.includes('"call":"create"');
  return line.includes(`"type":"${kind}"`);
}
