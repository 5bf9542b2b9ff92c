import { LEDGER_FILE } from '../helpers/scene.ts';
import type { Damage } from './shape.ts';
import type { Actor, Chaos } from './state.ts';

/** Makes the last line of a kind unreadable in the ledger of one operator; where there is none, nothing happens. */
export function damageLedger({ actors, tell }: Chaos, { operator, line: kind, how }: Damage): void {
  const actor = actors[operator];
  if (actor === undefined || actor.damage !== null) return;
  const lines = (actor.scene.files.tree[LEDGER_FILE] ?? '').split('\n');
  // A line that a crash cut short is none yet.
  const place = lines.slice(0, -1).findLastIndex((line) => isOf(kind, line));
  const whole = lines[place];
  if (whole === undefined) return;
  const damaged = how === 'garbled' ? whole.replace(',"', ',#') : '<<<<<<< ours';
  actor.damage = { whole, damaged };
  actor.scene.files.tree[LEDGER_FILE] = lines.with(place, damaged).join('\n');
  tell(`A ${kind} line in the ledger of ${actor.name} cannot be read any more`);
}

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
  return line.includes(`"type":"${kind}"`);
}
