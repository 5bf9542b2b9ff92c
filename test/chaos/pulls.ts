import { withBreak } from '../helpers/memory-workspace.ts';
import { LEDGER_FILE } from '../helpers/scene.ts';
import type { Actor, Chaos } from './state.ts';

/** All ledgers become one, as git merges them: what each operator knows, all of them know. */
export function joinLedgers({ actors, simulator, tell }: Chaos): void {
  const lines = new Set(actors.flatMap(linesOf));
  const text = [...lines].map((line) => `${line}\n`).join('');
  for (const { scene, pulledMs } of actors) {
    if (text === '') continue;
    scene.files.tree[LEDGER_FILE] = text;
    pulledMs.push(simulator.control.now());
  }
  tell('The ledgers are joined');
}

/** A git pull in the middle of a command adds what the others have recorded; false where there is nothing new. */
export function pullLedgers({ actors, simulator, tell }: Chaos, into: Actor): boolean {
  const known = new Set(linesOf(into));
  const news = [...new Set(actors.flatMap(linesOf))].filter((line) => !known.has(line));
  if (news.length === 0) return false;
  const { tree } = into.scene.files;
  tree[LEDGER_FILE] = withBreak(tree[LEDGER_FILE] ?? '') + news.map((line) => `${line}\n`).join('');
  into.pulledMs.push(simulator.control.now());
  tell(`A git pull brings ${news.length} lines of the others into the ledger of ${into.name}`);
  return true;
}

function linesOf({ scene }: Actor): readonly string[] {
  return (scene.files.tree[LEDGER_FILE] ?? '').split('\n').filter((line) => line !== '');
}
