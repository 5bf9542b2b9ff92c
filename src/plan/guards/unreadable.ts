import { writes, type Change } from '../../domain/change.ts';
import { blockChange, starts } from './guards.ts';
import { formatCommand } from '../../domain/command-line.ts';

/** Lines of the ledger that cannot be read, without a last one that a crash cut short. */
export interface Unreadable {
  /** The ledger, for messages. */
  readonly name: string;
  readonly damaged: readonly number[];
}

export const ALL_READABLE: Unreadable = { name: '', damaged: [] };

/**
 * Blocks what could harm if an unreadable line says what it must not say. No allowance lifts it: repair the ledger.
 *
 * | change of a declared resource      | what the line may be                                    | then      |
 * |------------------------------------|---------------------------------------------------------|-----------|
 * | create, replace                    | a create that may still succeed: fans would get both    | blocked   |
 * | activate, resume                   | a stop by a person, a recall, or a start of another one | blocked   |
 * | pause, archive, recall             | anything: stopping sends nothing                        | continues |
 * | a duplicate is stopped             | anything: fans would get both                           | continues |
 * | unchanged                          | anything: nothing is sent                               | continues |
 */
export function guardUnreadable(wanted: Change, unreadable: Unreadable): Change {
  return starts(wanted) ? heldBy(wanted, unreadable) : wanted;
}

/** Blocks a prune: the line may protect the object, or say that Herald did not create it. */
export function guardUnreadablePrune(wanted: Change, unreadable: Unreadable): Change {
  return writes(wanted) ? heldBy(wanted, unreadable) : wanted;
}

function heldBy(wanted: Change, unreadable: Unreadable): Change {
  const words = unreadableWords(unreadable);
  return words === null
    ? wanted
    : blockChange(wanted, `${words} After that, Herald would ${wanted.action} it.`);
}

/** Which lines cannot be read, and what to do. Null if all can. */
export function unreadableWords({ name, damaged }: Unreadable): string | null {
  if (damaged.length === 0) return null;
  return `Herald cannot read ${placesOf(name, damaged)}. It may be a request that can still succeed, or a stop by a person. To see how to repair the ledger: ${formatCommand('ledger', 'check')}.`;
}

const PLACES_MAX = 3;

function placesOf(name: string, damaged: readonly number[]): string {
  const places = damaged.slice(0, PLACES_MAX).map((line) => `${name}:${line}`);
  const more = damaged.length - places.length;
  return places.join(', ') + (more === 0 ? '' : ` and ${more} more`);
}
