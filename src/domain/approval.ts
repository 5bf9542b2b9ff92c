import type { WritingKind } from './change.ts';

/** One rule of `policy.approvals`: who has to agree before changes are applied. */
export interface ApprovalRule {
  /** A pattern of addresses, as `--target` takes it. */
  readonly match: string;
  /** All of these hold for a change that the rule is about. Null for each that is not asked. */
  readonly when: ApprovalCondition;
  /** Logins, and teams as `team:organisation/name`. Empty for anyone. */
  readonly from: readonly string[];
  readonly count: number;
}

export interface ApprovalCondition {
  /** Only changes that cannot be undone. */
  readonly irreversible: boolean;
  /** Only if a message that goes out costs more, in US dollars. */
  readonly priceGrossAbove: number | null;
  /** Only these kinds of change. */
  readonly actions: readonly WritingKind[] | null;
  /** Only what goes to every fan. */
  readonly everyone: boolean;
}

const TEAM = 'team:';

/** The team that a word of `from` names, as `organisation/name`; null for a login. */
export function teamOf(who: string): string | null {
  return who.startsWith(TEAM) ? who.slice(TEAM.length) : null;
}
