import type { Change, ChangeKind } from '../../domain/change.ts';
import type { KnownObject } from '../../domain/knowledge.ts';
import type { Declared, PlaceOf, SourcePlace } from '../../domain/resource.ts';
import { held } from './guards.ts';

/** Kinds that take a live object away, or something from what it does. */
const TAKING: readonly ChangeKind[] = ['replace', 'pause', 'archive', 'recall', 'retire'];

/** What protection is judged by: the file, and what the ledger remembers of live objects. */
export interface ProtectCase {
  readonly declared: Declared;
  /** Live objects of the group that the ledger knows as protected. */
  readonly protectedIds: ReadonlySet<string>;
  readonly placeOf: PlaceOf;
}

/**
 * Holds back what would take something from a protected resource. `changes` are all those of one address.
 *
 * | `protect` in the file | the ledger knows the object as | pause, archive, replace, recall | an extra copy beside it |
 * |-----------------------|--------------------------------|---------------------------------|-------------------------|
 * | true                  | anything                       | blocked                         | retired                 |
 * | absent                | protected                      | blocked: lift it first, alone   | retired                 |
 * | absent                | not protected                  | goes on                         | retired                 |
 *
 * An extra copy takes nothing away when it goes, and fans would get both (CONTENT-1): also where the ledger knows it
 * as protected, because another run made the same at the same moment. What is dead cannot be taken away any more: it is
 * only created anew.
 */
export function guardProtected(changes: readonly Change[], the: ProtectCase): readonly Change[] {
  const { declared, protectedIds } = the;
  if (!declared.protect && protectedIds.size === 0) return changes;
  return changes.map((wanted) => {
    if (!TAKING.includes(wanted.action) || isOfDead(wanted)) return wanted;
    if (wanted.action === 'retire') return wanted;
    const isKnown = touchedBy(wanted).some((id) => protectedIds.has(id));
    if (!isKnown && (!declared.protect || isBesideKept(wanted, changes))) return wanted;
    return held(wanted, declared.protect ? inFile(wanted, the) : onlyInLedger(wanted, declared));
  });
}

/** Holds back the retiring of an object that stands in no file any more and was protected when it did. */
export function guardRemoved(wanted: Change, known: KnownObject | null): Change {
  if (known?.isProtected !== true) return wanted;
  const reason =
    'It was declared with protect: true, and removing it from the files does not lift that: put it back without protect, apply, and then remove it.';
  if (TAKING.includes(wanted.action)) return held(wanted, `${reason} Would ${wanted.action} otherwise.`);
  return { ...wanted, reasons: [...wanted.reasons, reason], needs: [] };
}

function isOfDead({ steps }: Change): boolean {
  return steps.some(({ kind }) => kind === 'prove_dead');
}

function touchedBy({ live_id: liveId, steps }: Change): readonly string[] {
  const ids = [
    liveId,
    ...steps.filter(({ kind }) => kind === 'pause' || kind === 'archive').map((step) => step.live_id),
  ];
  return ids.filter((id) => id !== null);
}

/** Beside the one that stays as declared, or that has gone out already. */
function isBesideKept(wanted: Change, changes: readonly Change[]): boolean {
  return changes.some(({ action, live_id: id }) => action === 'keep' && id !== null && id !== wanted.live_id);
}

function inFile({ action }: Change, { declared, placeOf }: ProtectCase): string {
  const place = formatPlace(placeOf(declared.source, ['protect']));
  return `Protected: ${place} says protect: true. Would ${action} otherwise. If that is what you want, remove that line, apply, and then make this change in a commit of its own.`;
}

function onlyInLedger({ action }: Change, declared: Declared): string {
  const place = formatPlace(declared.source);
  return `Still protected: ${place} no longer says protect: true, but no apply has lifted it yet, and what it lifts must not change in the same step. Would ${action} otherwise. Take the rest of the change back, apply, and then make it in a commit of its own.`;
}

function formatPlace({ file, line }: SourcePlace): string {
  return `${file}:${line}`;
}
