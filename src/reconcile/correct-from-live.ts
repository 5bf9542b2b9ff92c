import { formatCommand } from '../domain/command-line.ts';
import { KIND_ROWS } from '../domain/kind.ts';
import type { Executed } from '../apply/execute.ts';
import { reportOf, SHOWN } from '../apply/merge-reports.ts';
import { writes, type Change, type ChangeKind, type Outcome } from '../domain/change.ts';
import { objectKey } from '../domain/knowledge.ts';
import {
  formatAddress,
  type Declared,
  type Observed,
  type ObservedBroadcast,
  type ObservedCampaign,
} from '../domain/resource.ts';
import {
  campaignStatusOf,
  isPaused,
  showsTarget,
  STATUS_TRAITS,
  type TargetStatus,
} from '../domain/status.ts';
import { isPastResumeWindow } from '../plan/broadcast/expired.ts';
import { declaredEndPassed, passedEndOf } from '../plan/campaign/column.ts';
import type { Inspection } from './source.ts';

/** The status that each stop sets. */
const STOPS: Partial<Record<ChangeKind, TargetStatus>> = {
  pause: 'paused',
  archive: 'archived',
};

type CorrectedOutcome = Pick<Outcome, 'outcome' | 'message'>;

/**
 * Decides about a change with a lost answer and no further plan, from the live state of its object. No request can
 * arrive late by then. A broadcast changes in one step. A campaign may show a status and be half changed, so only an
 * answer confirms it.
 *
 * | asked for              | its object shows                   | it becomes                                     |
 * |------------------------|------------------------------------|------------------------------------------------|
 * | pause, archive, retire | the status asked for, a broadcast  | applied                                        |
 * | pause, archive, retire | the status asked for, a campaign   | unknown as before                              |
 * | pause, archive, retire | another                            | failed: it was never carried out               |
 * | resume                 | that it waits, goes out or is gone | applied                                        |
 * | resume                 | paused, with its hour              | failed: it was never carried out               |
 * | replace, time is over  | the old version, which still sends | failed: it was never carried out               |
 * | replace, time is over  | the old version, stopped           | unknown as before (LOST-9), with both choices  |
 * | start, end has passed  | a campaign that is not active      | failed: it was never carried out               |
 */
export function correctFromLive(
  executed: Executed,
  { observed, knowledge, nowMs }: Inspection,
  { planned, declared, inDoubt }: Round,
): Executed {
  const busy = new Set([
    ...inDoubt,
    ...planned.filter(writes).map(({ address }) => formatAddress(address)),
    ...knowledge.open.map(({ address }) => formatAddress(address)),
  ]);
  const over = new Set(
    planned
      .filter(({ action }) => action === 'done')
      .map((change) => objectOf(change.address, change.live_id)),
  );
  const ended = new Set(
    declared
      .filter((one) => one.kind === 'campaign' && declaredEndPassed(one, nowMs) !== null)
      .map((one) => formatAddress(one.address)),
  );
  const outcomes = executed.report.outcomes.map((outcome): Outcome => {
    const { address, live_id: id } = outcome;
    if (outcome.outcome !== 'unknown' || id === null || busy.has(formatAddress(address))) return outcome;
    const object = observed.find(
      ({ account, kind, live }) => account === address.account && kind === address.kind && live.id === id,
    );
    if (object === undefined) return outcome;
    const known = knowledge.objects.get(objectKey(object.accountId, object.kind, id)) ?? null;
    const isGone = object.kind === 'broadcast' && isPastResumeWindow({ observed: object, known }, nowMs);
    // Its create was answered, and only a later step was lost.
    const isReplaced = outcome.action === 'replace' && (known?.supersededBy ?? null) !== null;
    const told = toldBy(outcome, object, {
      isOver: over.has(objectOf(address, id)) || (ended.has(formatAddress(address)) && !isReplaced),
      mayStartAgain: object.kind === 'campaign' ? passedEndOf({ observed: object }, nowMs) === null : !isGone,
    });
    return told === null ? outcome : { ...outcome, ...told };
  });
  return { ...executed, report: reportOf(outcomes) };
}

/** What the round decided about, and what stays as it is. */
interface Round {
  readonly planned: readonly Change[];
  readonly declared: readonly Declared[];
  /**
   * Addresses with a status that no answer confirmed, or with something new under the name. The new one may be what a
   * create made, so the old version alone decides nothing.
   */
  readonly inDoubt: ReadonlySet<string>;
}

interface Facts {
  /** Its time or its end has passed, so the plan creates, replaces and starts nothing for it. */
  readonly isOver: boolean;
  /** The service would start the object again, if it is paused. */
  readonly mayStartAgain: boolean;
}

function toldBy({ action, address }: Outcome, object: Observed, facts: Facts): CorrectedOutcome | null {
  const target = STOPS[action === 'retire' ? KIND_ROWS[address.kind].retire : action];
  if (target !== undefined) {
    if (!showsTarget(object.live, target)) return never(object, 'nothing is left to stop');
    return KIND_ROWS[object.kind].mayBeHalfDone ? null : CARRIED_OUT;
  }
  return object.kind === 'campaign'
    ? toldByCampaign(action, object, facts)
    : toldByBroadcast(action, object, facts);
}

function toldByCampaign(action: ChangeKind, object: ObservedCampaign, facts: Facts): CorrectedOutcome | null {
  if (!facts.isOver) return null;
  const { runs } = STATUS_TRAITS[campaignStatusOf(object.live)];
  if (action === 'replace')
    return runs ? never(object, 'the end of the new version has passed') : notReplaced(object, facts);
  return action === 'activate' && !runs ? never(object, 'its end has passed') : null;
}

function toldByBroadcast(
  action: ChangeKind,
  object: ObservedBroadcast,
  facts: Facts,
): CorrectedOutcome | null {
  const waitsPaused = isPaused(object.live) && object.live.scheduled_at != null;
  if (action === 'resume')
    return waitsPaused ? never(object, 'its time has passed or is too near to resume it now') : CARRIED_OUT;
  if (action !== 'replace' || !facts.isOver) return null;
  return waitsPaused
    ? stranded(object, facts)
    : never(object, 'it is too late to replace it: it was sent unchanged, or will be');
}

const CARRIED_OUT: CorrectedOutcome = { outcome: 'applied', message: SHOWN };

function never({ live }: Observed, why: string): CorrectedOutcome {
  const message = `The service did not confirm it, and it had no effect: ${live.id} has ${live.status ?? 'no status'} now, and ${why}. To see the state: ${formatCommand('plan')}`;
  return { outcome: 'failed', message };
}

function stranded({ account, live }: Observed, { mayStartAgain }: Facts): CorrectedOutcome {
  const old = mayStartAgain
    ? `, or send the old one: ${formatCommand('broadcasts', 'resume', live.id, '--account', account)}`
    : '';
  const message = `Not replaced. The new version was not created, and its time has passed or is too near now. The old version ${live.id} is paused, so neither is sent. Change scheduled_at to send the new one${old}.`;
  return { outcome: 'unknown', message };
}

function notReplaced({ account, live }: ObservedCampaign, { mayStartAgain }: Facts): CorrectedOutcome {
  const old =
    mayStartAgain && isPaused(live)
      ? `, or activate the old one: ${formatCommand('campaigns', 'activate', live.id, '--account', account)}`
      : '';
  const message = `Not replaced. The new version was not created, and its end has passed. The old version ${live.id} is ${live.status ?? 'without a status'}, so neither sends. Change rules.end_at to create the new one${old}.`;
  return { outcome: 'unknown', message };
}

function objectOf({ account, kind }: Outcome['address'], id: string | null): string {
  return `${account}/${kind}/${id ?? ''}`;
}
