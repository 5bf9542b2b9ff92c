import type { Policy, PolicyLevel, PolicyRule } from '../domain/policy.ts';
import type { Declared, ObservedBroadcast } from '../domain/resource.ts';

/** What a policy judges: everything declared, and what else is going to be sent. */
export interface PolicyCase {
  readonly declared: readonly Declared[];
  readonly policy: Policy;
  /** Broadcasts that wait for their hour and that no file of the run declares. */
  readonly undeclared: readonly ObservedBroadcast[];
  /** Addresses of declared broadcasts whose hour has passed and that went out. */
  readonly sent: ReadonlySet<string>;
  /** Addresses that the run leaves out: they are not judged, and what is live of them counts as undeclared. */
  readonly leftOut?: ReadonlySet<string>;
  /** The service's time, epoch milliseconds. */
  readonly nowMs: number;
}

/** One field of one resource that breaks one rule. */
export interface Violation {
  readonly rule: PolicyRule;
  readonly level: PolicyLevel;
  readonly resource: Declared;
  /** From the resource down to the field. */
  readonly path: readonly (string | number)[];
  /** What is wrong, with the rule's name and setting. */
  readonly message: string;
}

/** Breaking it: by rule, the level comes from the policy. */
export type Breach = Omit<Violation, 'rule' | 'level'>;
