import { formatCommand } from '../domain/command-line.ts';
import { KIND_ROWS } from '../domain/kind.ts';
import type { Unconfirmed } from '../apply/close-open.ts';
import { reportOf } from '../apply/merge-reports.ts';
import type { ApplyReport, Outcome } from '../domain/change.ts';
import { formatAddress } from '../domain/resource.ts';
import type { Source } from './source.ts';

const VERBS = { active: 'activate', archived: 'archive', paused: 'pause' } as const satisfies Record<
  Unconfirmed['status'],
  string
>;

/** The possible missing effects of a visible change. */
const LACKS = {
  active: 'it may not react to its trigger yet',
  archived: 'its queue may still be sent',
  paused: 'it may still react to its trigger',
} as const satisfies Record<Unconfirmed['status'], string>;

/** The visible state, why it is not enough, and the command to repeat. */
export function halfDoneWords(change: Unconfirmed, { byHand }: Pick<Source, 'byHand'>): string {
  const { liveId, status, problem, isMoved } = change;
  const again = byHand === null ? formatCommand('apply') : byHandCommand(change);
  if (isMoved)
    return `${liveId} was ${status} in the list, but is ${problem} now, so Herald did not set it to ${status} again. Run "${again}" again: it decides by the live state.`;
  return `${liveId} is ${status}, but the service did not confirm the change (${problem}). It may be half done: ${LACKS[status]}. Run "${again}" again: it repeats the change.`;
}

function byHandCommand({ address, liveId, status }: Unconfirmed): string {
  return formatCommand(KIND_ROWS[address.kind].plural, VERBS[status], liveId, '--account', address.account);
}

/** Why an apply starts nothing: a start may depend on what is not confirmed. */
export function notStartedWords(unconfirmed: readonly Unconfirmed[]): string {
  const addresses = new Set(unconfirmed.map(({ address }) => formatAddress(address)));
  return `Not started, because an earlier change is not confirmed yet: ${[...addresses].join(', ')}. Run "${formatCommand('apply')}" again.`;
}

/** The report with the unconfirmed changes of earlier runs. For its plan, each of them is as it should be. */
export function withHalfDone(
  report: ApplyReport,
  unconfirmed: readonly Unconfirmed[],
  source: Pick<Source, 'byHand'>,
): ApplyReport {
  const outcomes = [...report.outcomes];
  for (const change of unconfirmed) {
    const { address, liveId, status } = change;
    const message = halfDoneWords(change, source);
    const told: Outcome = { address, action: VERBS[status], outcome: 'unknown', live_id: liveId, message };
    const place = outcomes.findIndex(
      (one) =>
        one.outcome === 'unchanged' &&
        one.live_id === liveId &&
        formatAddress(one.address) === formatAddress(address),
    );
    if (place < 0) outcomes.push(told);
    else outcomes[place] = told;
  }
  return reportOf(outcomes);
}

/** The same, for a change of an earlier run, with its address. */
export function earlierHalfDone(change: Unconfirmed, source: Pick<Source, 'byHand'>): string {
  return `${formatAddress(change.address)}: ${halfDoneWords(change, source)}`;
}
