import { WORKSPACE } from '../helpers/scene.ts';
import { ACCOUNTS, declare, type Account, type Written } from './declare.ts';
import { forgetImported } from './declared-in.ts';
import type { Operator, Scenario, Step } from './shape.ts';
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

/** Accounts that the workspaces have now. */
export function accountsIn({ scenario, isAway }: Pick<Chaos, 'scenario' | 'isAway'>): readonly Account[] {
  return ACCOUNTS.slice(isAway ? 1 : 0, scenario.accounts);
}

export function workspaceOf(
  { storesTexts }: Pick<Scenario, 'storesTexts'>,
  { byUsername }: Operator,
): string {
  const written = storesTexts ? WORKSPACE : `${WORKSPACE}state: { store_texts: false }\n`;
  return byUsername ? written.replace('id: "101"', 'username: alice_x') : written;
}

/** Takes the first account out of all workspaces and their files, or puts it back. */
export function moveAccount(chaos: Chaos, isThere: boolean): void {
  const { scenario, actors, tell } = chaos;
  // Files that declare nothing at all are an error.
  if (scenario.accounts === 1 || chaos.isAway !== isThere) return;
  chaos.isAway = !isThere;
  for (const actor of actors) {
    const operator = scenario.operators[actor.place];
    if (operator === undefined) continue;
    const whole = workspaceOf(scenario, operator);
    actor.scene.files.tree['herald.yaml'] = isThere ? whole : whole.replace(/^ {2}alice:.*\n/m, '');
    if (actor.written.length > 0) giveFiles(chaos, actor, actor.written, accountsIn(chaos));
  }
  tell(isThere ? 'The workspaces have alice again' : 'alice is taken out of the workspaces');
}

/** What an import changed is looked at and taken back, as with `git checkout`. */
export function takeBackImport(chaos: Chaos, { scene, written }: Actor): void {
  forgetImported(scene.files.tree);
  declare([scene], written, accountsIn(chaos));
}
