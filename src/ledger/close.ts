import type { Ages } from './ages.ts';
import type { Unfinished } from './unfinished.ts';

/** Why an entry must not be closed by hand; null when it may. */
export interface Refusal {
  readonly code: 'under-way' | 'settled-by-a-run';
  readonly message: string;
  readonly hint: string;
}

/** What decides whether a person may close an entry. */
export interface CloseFacts {
  /** What the workspace calls the entry's account; null if it is none of its accounts. */
  readonly alias: string | null;
  /** Whether the request can no longer succeed, by the service's clock; null if that clock is not known. */
  readonly isOver: boolean | null;
}

/** For `CloseFacts`. This machine's clock, or that of the machine that sent it, is not enough. */
export function isOver(one: Unfinished, ages: Ages, settleMs: number): boolean | null {
  const ageMs = ages.byServiceMs(one, one.entry);
  return ageMs === null ? null : ageMs >= settleMs;
}

/**
 * Whether a person may close an unconfirmed entry. If a run can find out what happened, it may not be closed, because
 * that would lose what the run finds.
 *
 * | the request                                        | its account            | may be closed                       |
 * |----------------------------------------------------|------------------------|-------------------------------------|
 * | may still succeed                                  |                        | no                                  |
 * | a recall or a chat message: no run can resolve it  |                        | yes                                 |
 * | a create without its content: the same             |                        | yes                                 |
 * | anything else                                      | is in herald.yaml      | no: the hint says what resolves it  |
 * | anything else                                      | is not in herald.yaml  | yes                                 |
 */
export function refusalToClose(one: Unfinished, facts: CloseFacts): Refusal | null {
  const { what, sentAt, entry, account, isForPerson, resolvedBy } = one;
  if (facts.isOver !== true)
    return {
      code: 'under-way',
      message: `Not closed: ${what}, sent at ${sentAt}, may still succeed.`,
      hint: waitingFor(one, facts),
    };
  if (isForPerson || facts.alias === null) return null;
  const which = account === facts.alias ? account : `${facts.alias} (${account})`;
  return {
    code: 'settled-by-a-run',
    message: `Not closed: account ${which} is in herald.yaml, so Herald can still find out what happened to entry ${entry}.`,
    hint: resolvedBy,
  };
}

function waitingFor({ skewMs }: Unfinished, facts: CloseFacts): string {
  if (facts.isOver === null)
    return "The age of a request is measured by the service's clock. That is not known now: the service did not answer, or its answers do not agree. Try again later.";
  return skewMs === null
    ? "The entry does not record the service's clock, so it can be closed one day after it was sent."
    : 'Wait until service.settle_sec is over, then try again.';
}

/**
 * The same for a request to another simulator than that of the workspace. That simulator's clock is not known. This
 * machine's clock is good enough, because a late effect would only change a simulator.
 *
 * | the request                | its world                          | may be closed                      |
 * |----------------------------|------------------------------------|------------------------------------|
 * | may still succeed          |                                    | no                                 |
 * | a recall or a chat message |                                    | yes                                |
 * | a create without its content |                                  | yes                                |
 * | anything else              | in its file, or cannot be read      | no: the hint says what resolves it |
 * | anything else              | gone, or replaced by another, or a server | yes                                |
 */
export function refusalToCloseElsewhere(one: Unfinished, worldFile: string | null): Refusal | null {
  const { what, sentAt, entry, isForPerson, isLate, resolvedBy } = one;
  if (!isLate)
    return {
      code: 'under-way',
      message: `Not closed: ${what}, sent at ${sentAt}, may still succeed.`,
      hint: "Wait until service.settle_sec is over by this machine's clock, then try again.",
    };
  if (isForPerson || worldFile === null) return null;
  return {
    code: 'settled-by-a-run',
    message: `Not closed: the simulator's world ${worldFile} exists, so Herald can still find out what happened to entry ${entry}.`,
    hint: `Set service.simulator to ${worldFile}. ${resolvedBy} Or delete that file if you do not need it any more.`,
  };
}
