import { declare, type Account, type Written } from './declare.ts';
import type { Step } from './shape.ts';
import type { Actor, Chaos } from './state.ts';
import { filesWords } from './story/setting-words.ts';

/** Gives one operator, or all of them, another version of the files. */
export function putFiles(
  chaos: Chaos,
  { operator, slots }: Extract<Step, { readonly kind: 'files' }>,
  accounts: readonly Account[],
): void {
  const { actors, author, simulator } = chaos;
  const chosen = actors.filter(({ place }) => operator === null || place === operator);
  // Files that declare nothing at all are an error.
  if (slots.length === 0 || chosen.length === 0) return;
  const written = author.write(slots);
  for (const actor of chosen) giveFiles(chaos, actor, written, accounts);
  for (const { slot, replace } of slots) if (replace === 'create_first') chaos.people.overlapping.add(slot);
  const owner = operator === null ? 'everyone' : (chosen[0]?.name ?? '');
  for (const words of filesWords(written, accounts, owner)) chaos.tell(words);
  simulator.control.now();
}

/** Gives these files to one operator. */
export function giveFiles(
  { simulator }: Chaos,
  actor: Actor,
  written: readonly Written[],
  accounts: readonly Account[],
): void {
  actor.written = written;
  actor.declared = declare([actor.scene], written, accounts);
  actor.runningPeriods.begin(simulator.world.nextRequest, actor.declared);
}
