import { formatCommand } from '../domain/command-line.ts';
import { compareIds } from '../domain/ids.ts';
import { CALL_WORDS, isOwedToReplace, type Knowledge, type OpenEntry } from '../domain/knowledge.ts';
import type { Declared, Observed } from '../domain/resource.ts';
import { isPaused } from '../domain/status.ts';
import { unreadableWords, type Unreadable } from '../plan/guards/unreadable.ts';
import { isOurs, knownOf } from '../plan/match.ts';

/**
 * Why the difference between a file and its live objects is not drift: Herald has not finished its own change. Null if
 * it has.
 *
 * | ledger lines     | open entry about its names or objects | its newest own object                       | finished |
 * |------------------|---------------------------------------|---------------------------------------------|----------|
 * | some are damaged | any                                   | any                                         | no       |
 * | all are readable | one, of any age                       | any                                         | no       |
 * | all are readable | none                                  | paused for a replace, without a new version | no       |
 * | all are readable | none                                  | any other, or there is none                 | yes      |
 */
export function unfinishedChange(
  declared: Declared,
  group: readonly Observed[],
  knowledge: Knowledge,
  unreadable: Unreadable,
): string | null {
  const { account, name } = declared.address;
  // First: no apply finishes a change next to such a line.
  const damaged = unreadableWords(unreadable);
  if (damaged !== null) return damaged;
  const entry = openAbout(group, [name, declared.renamedFrom], knowledge);
  if (entry !== undefined) return openWords(entry, account);
  if (!awaitsItsNewVersion(group, knowledge)) return null;
  return `Herald paused it on ${account} to replace it, and the new version is missing. Run ${formatCommand('apply')} first.`;
}

/**
 * Why the status of an unmanaged object may be about to change. Null if it is not.
 *
 * | open entry about its name or id | ledger lines     | it is  | settled |
 * |---------------------------------|------------------|--------|---------|
 * | one, of any age                 | any              | any    | no      |
 * | none                            | some are damaged | paused | no      |
 * | none                            | some are damaged | other  | yes     |
 * | none                            | all are readable | any    | yes     |
 */
export function unfinishedStatus(
  object: Observed,
  knowledge: Knowledge,
  unreadable: Unreadable,
): string | null {
  const entry = openAbout([object], [], knowledge);
  if (entry !== undefined) return openWords(entry, object.account);
  // The line may be a start. Declared as paused, the object would be stopped again.
  return isPaused(object.live) ? unreadableWords(unreadable) : null;
}

/** Also after its window: until an apply has judged it, its effect may be missing in the list or in the ledger. */
function openAbout(
  group: readonly Observed[],
  declaredNames: readonly (string | null)[],
  knowledge: Knowledge,
): OpenEntry | undefined {
  const ofObjects = group.flatMap((object) => [object.live.name, knownOf(object, knowledge)?.name]);
  const names = new Set([...declaredNames, ...ofObjects].flatMap((name) => name ?? []));
  return knowledge.open.find((one) => isAbout(one, group, names));
}

/** By the account's id, because an alias may have been renamed since. */
function isAbout(
  { address, accountId, liveId }: OpenEntry,
  group: readonly Observed[],
  names: ReadonlySet<string>,
): boolean {
  const isHere = group.some((object) => object.accountId === accountId && object.kind === address.kind);
  return isHere && (names.has(address.name) || group.some(({ live }) => live.id === liveId));
}

/** No run resolves every recall, so a person closes it. */
function openWords({ entry, call, liveId, notedAtMs }: OpenEntry, account: string): string {
  const what = `A ${CALL_WORDS[call]}${liveId === null ? '' : ` of ${liveId}`} on ${account}`;
  const next =
    call === 'unsend'
      ? `Check on the service whether it was recalled, then run ${formatCommand('ledger', 'close', entry, '--because', '…')}.`
      : `Run ${formatCommand('apply')} first.`;
  return `${what}, sent at ${new Date(notedAtMs).toISOString()}, got no answer and may have succeeded. ${next}`;
}

/** Not if it runs: then someone started it again, and nothing is left of Herald's pause. */
function awaitsItsNewVersion(group: readonly Observed[], knowledge: Knowledge): boolean {
  const own = group.filter((object) => isOurs(object, knownOf(object, knowledge), knowledge));
  const newest = own.toSorted((left, right) => compareIds(right.live.id, left.live.id))[0];
  return newest !== undefined && isPaused(newest.live) && isOwedToReplace(knownOf(newest, knowledge));
}
