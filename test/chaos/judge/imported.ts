import { declaredIn, type InFile } from '../declared-in.ts';
import { aliasOf, isRunning } from '../declare.ts';
import { liveOf, WINDOW_MS, type Live } from '../live.ts';
import type { Ended } from '../run.ts';
import { writesOf, type Actor, type Chaos, type SentWrite } from '../state.ts';
import { onTheWay } from './on-the-way.ts';

/**
 * What an import writes while a request of its ledger is still on its way, and what that request changes a little later:
 * the next apply would undo what the request was sent for.
 */
export function importedTooEarly(chaos: Chaos, { process }: Ended): string[] {
  if (process.run.command.kind !== 'import') return [];
  const { actor } = process;
  const { world } = chaos.simulator;
  const live = liveOf(chaos.simulator);
  const own = writesOf(chaos, actor);
  const written = declaredIn(actor.scene.files.tree).filter((one) => isWritten(one, actor));
  return onTheWay(world, own).flatMap(({ sent, dueMs }) => {
    if (dueMs - sent.sentMs > WINDOW_MS || isConfirmed(own, sent)) return [];
    const sec = Math.round((dueMs - world.nowMs) / 1000);
    return written
      .filter((one) => isUndoneBy(one, sent, live) && !isNotStartedAgain(one, actor))
      .map(
        ({ alias, kind, name, status }) =>
          `import wrote ${alias}/${kind}/${name} as ${status}, and ${sec} s later request ${sent.request} (${sent.write.kind}) of its ledger is carried out`,
      );
  });
}

/** Whether the files of the operator did not say this before. */
function isWritten({ alias, kind, name, status, text }: InFile, { declared }: Actor): boolean {
  return !declared.some(
    (one) =>
      one.alias === alias &&
      one.kind === kind &&
      one.name === name &&
      one.content.text === text &&
      (one.target === status || (isRunning(one.target) && isRunning(status))),
  );
}

/** Whether what a file declares is no longer so, once that request is carried out. */
function isUndoneBy(
  { alias, kind, name, status, text }: InFile,
  { write }: SentWrite,
  live: readonly Live[],
) {
  if (write.kind !== 'create' && write.kind !== 'status') return false;
  if (aliasOf(write.accountId) !== alias || write.of !== kind) return false;
  if (write.kind === 'create')
    return write.name === name && !(isRunning(status) && write.content.text === text);
  const object = live.find(({ accountId, id }) => accountId === write.accountId && id === write.id);
  return object?.name === name && object.kind === kind && !SETS[write.status]?.includes(status);
}

/**
 * Next to a damaged line nothing tells what is about to be stopped. What an import has declared as running is not started
 * again by that: paused, it waits for `--allow resume`.
 */
function isNotStartedAgain({ alias, kind, name, status }: InFile, { damage, declared }: Actor): boolean {
  const isNew = !declared.some((one) => one.alias === alias && one.kind === kind && one.name === name);
  return damage !== null && isNew && isRunning(status);
}

/** What a file says of what each status makes. A file that declares a recall is another thing. */
const SETS: Readonly<Record<string, readonly string[]>> = {
  paused: ['paused'],
  archived: ['archived', 'paused'],
  active: ['active'],
  queued: ['scheduled'],
};

/** A status that was set by another request as well is the same once more. */
function isConfirmed(own: readonly SentWrite[], { write }: SentWrite): boolean {
  return (
    write.kind === 'status' &&
    own.some(
      ({ write: other, answer }) =>
        answer === 'done' &&
        other.kind === 'status' &&
        other.id === write.id &&
        other.status === write.status,
    )
  );
}
