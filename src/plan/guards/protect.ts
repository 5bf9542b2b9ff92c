import { formatCommand } from '../../domain/command-line.ts';
import { KIND_ROWS } from '../../domain/kind.ts';
import type { Change, ChangeKind } from '../../domain/change.ts';
import type { KnownObject } from '../../domain/knowledge.ts';
import type { Declared, PlaceOf, SourcePlace } from '../../domain/resource.ts';
import { blockChange } from './guards.ts';

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
 * Blocks changes that would stop or replace a protected resource. `changes` are all those of one address.
 *
 * | `protect` in the file | the ledger knows the object as | pause, archive, replace, recall | a duplicate of it |
 * |-----------------------|--------------------------------|---------------------------------|-------------------|
 * | true                  | anything                       | blocked                         | stopped           |
 * | absent                | protected                      | blocked: lift it first, alone   | stopped           |
 * | absent                | not protected                  | continues                       | stopped           |
 *
 * A duplicate is stopped in any case, because fans would get both (CONTENT-1). That holds even if the ledger knows it as
 * protected, because another run created the same at the same moment. An expired broadcast can no longer be stopped: it
 * is only created again.
 */
export function guardProtected(changes: readonly Change[], the: ProtectCase): readonly Change[] {
  const { declared, protectedIds } = the;
  if (!declared.protect && protectedIds.size === 0) return changes;
  return changes.map((wanted) => {
    if (!TAKING.includes(wanted.action) || isOfDead(wanted)) return wanted;
    if (wanted.action === 'retire') return wanted;
    const isKnown = touchedBy(wanted).some((id) => protectedIds.has(id));
    if (!isKnown && (!declared.protect || anotherIsKept(wanted, changes))) return wanted;
    const reason = declared.protect ? inFile(wanted, the) : onlyInLedger(wanted, declared);
    return blockChange(wanted, `${reason}${byHand(wanted)}`);
  });
}

/** Blocks the prune of an unmanaged object that was protected when a file declared it. */
export function guardRemoved(wanted: Change, known: KnownObject | null): Change {
  if (known?.isProtected !== true) return wanted;
  const reason =
    'It was applied with protect: true, so it is protected. To remove it, put the block back without protect, apply, then remove the block and apply again.';
  if (TAKING.includes(wanted.action))
    return blockChange(wanted, `${reason} Without protection, Herald would ${wanted.action} it.`);
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

/** Another object stays unchanged, or was sent already. */
function anotherIsKept(wanted: Change, changes: readonly Change[]): boolean {
  return changes.some(({ action, live_id: id }) => action === 'keep' && id !== null && id !== wanted.live_id);
}

function inFile({ action }: Change, { declared, placeOf }: ProtectCase): string {
  const place = formatPlace(placeOf(declared.source, ['protect']));
  return `Protected by protect: true at ${place}. Otherwise Herald would ${action} it. To do that: remove that line and apply, then make this change in a commit of its own and apply again.`;
}

function onlyInLedger({ action }: Change, declared: Declared): string {
  const place = formatPlace(declared.source);
  return `Still protected: protect: true was removed at ${place}, but an apply must lift the protection before anything else changes. Otherwise Herald would ${action} it. Undo the rest of the change and apply. Then make it in a commit of its own and apply again.`;
}

/** A person may stop it in spite of its protection (decision 44). */
function byHand({ action, address: { account, kind }, live_id: liveId }: Change): string {
  if ((action !== 'pause' && action !== 'archive') || liveId === null) return '';
  return ` To ${action} it at once, by hand: ${formatCommand(KIND_ROWS[kind].plural, action, liveId, '--account', account)}`;
}

function formatPlace({ file, line }: SourcePlace): string {
  return `${file}:${line}`;
}
