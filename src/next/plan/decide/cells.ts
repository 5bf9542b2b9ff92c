import type { Allowance } from '../../../domain/allowance.ts';
import type { Change, Step, StepKind } from '../../../domain/change.ts';
import { canonical } from '../../../domain/digest.ts';
import type { Declared, Observed } from '../../../domain/resource.ts';
import type { PlanFacts } from '../facts.ts';
import {
  adoptionOf,
  blocked,
  change,
  ignoredOf,
  only,
  step,
  unlessBlocked,
  type Decision,
} from './decision.ts';
import type { Group, GroupFacts, Version } from './group.ts';
import { beingStarted, beingStopped, openReason } from './open.ts';

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

/** The same also where the files ignore a difference: one that differs there is another version, and not a copy. */
export function isCopyOf(left: Version, right: Version): boolean {
  return isEqual(left) && isEqual(right) && canonical(ignoredOf(left)) === canonical(ignoredOf(right));
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
  const about = { versions, open: group.open };
  const [started, stopped] = [beingStarted(about), beingStopped(about)];
  return versions.filter((one) => (wanted(one) || started.includes(one)) && !stopped.includes(one));
}

/** A declared stop of one version. */
export function stopDeclared(
  { declared, facts }: Case,
  version: Version,
  action: 'pause' | 'archive' | 'recall',
  kinds: readonly Extract<StepKind, 'pause' | 'archive' | 'recall' | 'read_back'>[],
): Change {
  const steps: readonly Step[] = kinds.map((kind) => step(kind, version));
  const needs: readonly Allowance[] = action === 'recall' ? ['recall'] : [];
  const reasons = [
    `Declared ${declared.target}.`,
    ...(action === 'recall' && declared.kind === 'broadcast'
      ? ['Possible within 24 hours of its last status change.']
      : []),
  ];
  const wanted = change(declared, action, { version, reasons, steps });
  return unlessBlocked(facts, wanted, [...adoptionOf(version), ...needs]);
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
