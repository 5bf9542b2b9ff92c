import type { Allowance } from '../../domain/allowance.ts';
import type { Change, StepKind } from '../../domain/change.ts';
import type { Diagnostic } from '../../domain/diagnostic.ts';
import { canonical } from '../../domain/digest.ts';
import type { Declared, Observed } from '../../domain/resource.ts';
import { statusOf, STATUS_TRAITS } from '../../domain/status.ts';
import type { PlanFacts } from '../facts.ts';
import {
  requireAdoption,
  blocked,
  change,
  listIgnored,
  only,
  listDifferences,
  step,
  unlessBlocked,
  warning,
  type Decision,
} from './decision.ts';
import { isStartedAgain, findNewest, type Group, type GroupFacts, type Version } from './group.ts';
import { findBeingStarted, findBeingStopped, openReason, pauseCommand } from './open.ts';

/** What rows and cells look at. */
export interface Case<Resource extends Declared = Declared, Live extends Observed = Observed> {
  readonly group: Group<Resource, Live>;
  readonly declared: Resource;
  readonly versions: readonly Version<Live>[];
  readonly facts: GroupFacts & Partial<Pick<PlanFacts, 'settleMs'>>;
}

/** One row of a decision table. The first that fits wins. */
export interface Row<The, Column extends string> {
  readonly live: string;
  readonly fits: (the: The) => boolean;
  readonly cells: Readonly<Record<Column, (the: The) => Decision>>;
}

export function isEqual({ comparison }: Version): boolean {
  return comparison.verdict === 'equal';
}

export function isUnreadable({ comparison }: Version): boolean {
  return comparison.verdict === 'unknowable';
}

/** Equal in ignored fields too: one that differs there is another version, and not a copy. */
export function isCopyOf(left: Version, right: Version): boolean {
  return isEqual(left) && isEqual(right) && canonical(listIgnored(left)) === canonical(listIgnored(right));
}

/** Already as declared. Other content is shown: it matters once it is to be sent after all. */
export function keep({ declared: { kind, target }, declared, versions }: Case): Decision {
  const version = findNewest(versions) ?? versions.at(-1) ?? null;
  const absent =
    target === 'paused'
      ? `Not created while paused, because a new ${kind} is live immediately.`
      : 'Nothing of this name is live.';
  const reasons = version === null ? [absent] : [];
  return only(
    change(declared, 'keep', {
      version,
      reasons,
      fields: target === 'paused' ? listDifferences(version) : [],
    }),
  );
}

/** A request that may still take effect: nothing starts. */
export function blockOpen({ group, facts }: Case): Decision {
  const [request] = group.open;
  if (request === undefined) return only();
  const version = group.versions.find(({ id }) => id === request.live_id) ?? null;
  return only(blocked(group.declared, openReason(request, group, facts), version));
}

/** Versions to stop: those of the given ones, and what an open request starts, without what one stops already. */
export function toStop<Live extends Observed>(
  { versions, group }: Pick<Case<Declared, Live>, 'versions' | 'group'>,
  wanted: (version: Version<Live>) => boolean,
): readonly Version<Live>[] {
  const [started, stopped] = [findBeingStarted(group.open), findBeingStopped(group.open)];
  return versions.filter((one) => (wanted(one) || started.has(one.id)) && !stopped.has(one.id));
}

type StopStep = Extract<StepKind, 'pause' | 'archive' | 'recall' | 'read_back'>;

/** A declared stop of one version. */
export function stopDeclared(
  { declared, facts }: Case,
  version: Version,
  action: 'pause' | 'archive' | 'recall',
  kinds: readonly StopStep[],
): Change {
  const steps = kinds.map((kind) => step(kind, version));
  const needs: readonly Allowance[] = action === 'recall' ? ['recall'] : [];
  const wanted = change(declared, action, { version, reasons: [`Declared ${declared.target}.`], steps });
  return unlessBlocked(facts, wanted, [...requireAdoption(version), ...needs]);
}

/** A stop of a version that must not run next to another one of its name. */
export function stopOther(
  { declared, facts }: Case,
  version: Version,
  action: 'retire' | 'pause' | 'archive',
  { reason, steps }: { readonly reason: string; readonly steps: readonly StopStep[] },
): Change {
  const again = isStartedAgain(version, facts) ? ' Someone started it again.' : '';
  const wanted = change(declared, action, {
    version,
    reasons: [`${reason}${again}`],
    fields: listDifferences(version),
    steps: steps.map((kind) => step(kind, version)),
  });
  return unlessBlocked(facts, wanted, requireAdoption(version));
}

/** What a recall needs no more: the service refused it for good. */
export function isRecallRefused({ facts }: Case, { id, observed: { accountId, kind } }: Version): boolean {
  return facts.past?.isRefused({ accountId, kind, liveId: id }, 'recall') === true;
}

export function warnRefused({ declared }: Case, { id, observed }: Version): Diagnostic {
  const { kind, account, live } = observed;
  const stop = STATUS_TRAITS[statusOf(live)].runs ? ` To stop it: ${pauseCommand(kind, id, account)}` : '';
  const message = `The service refused to recall ${id}, which is ${live.status ?? 'without a status'}. It refuses 24 hours after the last status change.${stop}`;
  return warning(declared, 'recall-refused', message);
}

/** The others are stopped, and the name is not called done: `block` says what holds it back. */
export function andBlock<The>(
  cell: (the: The) => Decision,
  block: (the: The) => Decision,
): (the: The) => Decision {
  return (the) => {
    const { changes, diagnostics } = cell(the);
    const stops = changes.filter(({ action }) => action !== 'keep' && action !== 'done');
    return { changes: [...stops, ...block(the).changes], diagnostics };
  };
}

/** Matched by name only: nothing is decided about what cannot be read. */
export function blockUnread({ declared }: Case, candidates: readonly Version[]): Decision {
  const version = candidates.find(isUnreadable) ?? null;
  const why =
    version?.comparison.verdict === 'unknowable' ? version.comparison.why : 'its content cannot be compared';
  const reason = `Herald does not change it: ${why}. Check it on the service, or declare another name.`;
  return only(blocked(declared, reason, version));
}
