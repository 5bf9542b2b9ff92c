import type { Ages } from './ages.ts';
import type { Unfinished } from './unfinished.ts';

/** Why an entry must not be closed by hand; null when it may. */
export interface Refusal {
  readonly code: 'under-way' | 'settled-by-a-run';
  readonly message: string;
  readonly hint: string;
}

/** Where the close is asked for. */
export interface CloseTerms {
  /** Whether the entry's account is one of the workspace's. */
  readonly isInWorkspace: boolean;
  /** Whether nothing can come of it any more, by the service's clock; null while that is not known. */
  readonly isOver: boolean | null;
}

/** What `CloseTerms` says of the entry's age: this machine's clock, or that of the one that sent it, tells too little. */
export function isOver(one: Unfinished, ages: Ages, settleMs: number): boolean | null {
  const ageMs = ages.byServiceMs(one, one.entry);
  return ageMs === null ? null : ageMs >= settleMs;
}

/**
 * Whether a person may close an entry of which nobody knows the end. What a run can settle by looking, it settles:
 * closing that would only lose what it finds.
 *
 * | the request                                            | its account       | may be closed               |
 * |--------------------------------------------------------|-------------------|-----------------------------|
 * | may still be carried out                               |                   | no                          |
 * | a recall or a chat message: no run settles it for good |                   | yes                         |
 * | anything else                                          | is in herald.yaml | no: what settles it is said |
 * | anything else                                          | has left it       | yes                         |
 */
export function refusalToClose(one: Unfinished, terms: CloseTerms): Refusal | null {
  const { what, sentAt, entry, account, isForPerson, settledBy } = one;
  if (terms.isOver !== true)
    return {
      code: 'under-way',
      message: `Not closed: ${what}, sent at ${sentAt}, may still be under way.`,
      hint: waitingFor(one, terms),
    };
  if (isForPerson || !terms.isInWorkspace) return null;
  return {
    code: 'settled-by-a-run',
    message: `Not closed: account ${account} is in herald.yaml, so the end of entry ${entry} can still be found out.`,
    hint: settledBy,
  };
}

function waitingFor({ skewMs }: Unfinished, terms: CloseTerms): string {
  if (terms.isOver === null)
    return 'The clock of the service tells how old that is, and it is not known: the service did not answer, or its answers do not agree. Try again later.';
  return skewMs === null
    ? 'It does not say where the clock of the service stood, so it can be closed once a day is over.'
    : 'Wait until service.settle_sec is over, then try again.';
}

/**
 * The same for what was asked of another simulator than the one that the workspace works with. Nobody there tells the
 * time, so this machine's clock has to do: what comes of it late, comes of it in a simulator.
 *
 * | the request                | its world                        | may be closed               |
 * |----------------------------|----------------------------------|-----------------------------|
 * | may still be carried out   |                                  | no                          |
 * | a recall or a chat message |                                  | yes                         |
 * | anything else              | a file that is there             | no: what settles it is said |
 * | anything else              | a file that is gone, or a server | yes                         |
 */
export function refusalToCloseElsewhere(one: Unfinished, worldFile: string | null): Refusal | null {
  const { what, sentAt, entry, isForPerson, isLate, settledBy } = one;
  if (!isLate)
    return {
      code: 'under-way',
      message: `Not closed: ${what}, sent at ${sentAt}, may still be under way.`,
      hint: "Wait until service.settle_sec is over by this machine's clock, then try again.",
    };
  if (isForPerson || worldFile === null) return null;
  return {
    code: 'settled-by-a-run',
    message: `Not closed: the simulator's world ${worldFile} is there, so the end of entry ${entry} can still be found out.`,
    hint: `Point service.simulator at ${worldFile} for a while. ${settledBy} Or remove that file, where it is of no use any more.`,
  };
}
