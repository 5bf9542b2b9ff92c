import * as z from 'zod/mini';
import type { DiagnosticCode } from '../domain/codes.ts';
import type { Declared, ObservedBroadcast } from '../domain/resource.ts';
import { withHelp } from '../domain/value-shapes.ts';
import { POLICY_LEVELS } from '../domain/workspace.ts';
import type { Policy, PolicySetting } from '../domain/workspace.ts';
import type { Allowance } from '../domain/change-kinds.ts';

/** Keys and indexes from a starting point down to one value. */
type Path = readonly (string | number)[];

/** What a policy judges: everything declared, and what else is going to be sent. */
export interface PolicyCase {
  readonly declared: readonly Declared[];
  readonly policy: Policy;
  /** Scheduled broadcasts that no file of the run declares. */
  readonly undeclared: readonly ObservedBroadcast[];
  /** Addresses of declared broadcasts that were sent at their time. */
  readonly sent: ReadonlySet<string>;
  /** Addresses that the run leaves out: they are not judged, and what is live of them counts as undeclared. */
  readonly leftOut?: ReadonlySet<string>;
  /** The service's time, epoch milliseconds. */
  readonly nowMs: number;
}

/** One message: of a resource, or one that a command sends now. */
export interface PolicyMessage {
  readonly text: string | null;
  /** In US dollars, 0 for free. */
  readonly price: number;
}

/** One field of one resource that breaks a rule. */
export interface PolicyViolation {
  readonly resource: Declared;
  /** From the resource down to the field. */
  readonly path: Path;
  /** What is wrong, with the rule's name and setting. */
  readonly message: string;
}

/** A run as a whole. */
export interface RunCase {
  /** How many changes it would make. */
  readonly changes: number;
  readonly allow: ReadonlySet<Allowance>;
  /** Addresses of resources that were not created before their time passed. */
  readonly missed: readonly string[];
}

/**
 * One rule of `policy:`. It is added by one file below `policy/rules/` and one line in `policy/rules.ts`; everything
 * else reads that table. It has one or two of the checks at the end.
 */
export interface PolicyRule<Written = unknown, Setting extends PolicySetting = PolicySetting> {
  /** Its key below `policy:`, and its name in every output. */
  readonly key: string;
  /** The code of its findings. */
  readonly code: DiagnosticCode;
  /** As people write it. */
  readonly shape: z.core.$ZodType;
  /** What an editor shows for the key, from the JSON schema. */
  readonly help?: string;
  /** What holds while the file does not set the rule. Null for nothing. */
  readonly default: Setting | null;
  /** The setting. Null if what is written forbids nothing. `before` has the rules that come before it in the table. */
  read(written: Written, before: Policy): Setting | null;
  /** The setting in words, without its level. */
  describe(setting: Setting): string;
  /** How one message breaks it, in its text or its price: sentences that go on after the name of the message. */
  readonly inMessage?: {
    readonly field: 'text' | 'price_gross';
    judge(setting: Setting): (message: PolicyMessage) => readonly string[];
  };
  /** What breaks it, of the resources that are to be sent. */
  check?(
    resources: readonly Declared[],
    setting: Setting,
    policyCase: PolicyCase,
  ): readonly PolicyViolation[];
  /** How a message that is sent at this time breaks it. Null if it does not. */
  checkTime?(atMs: number, setting: Setting): string | null;
  /** Why a run breaks it, which only a plan can tell. Null if it does not. */
  checkRun?(run: RunCase, setting: Setting): string | null;
}

/** How a policy sets a rule. Null if it does not. */
export function settingOf<Setting extends PolicySetting>(
  { key }: PolicyRule<unknown, Setting>,
  policy: Policy,
): Setting | null {
  return (policy[key] as Setting | undefined) ?? null;
}

/** `level:` of a rule. */
export const levelShape = withHelp(
  'deny (default) refuses the whole run; warn only prints a warning.',
  z._default(z.enum(POLICY_LEVELS), 'deny'),
);

/** A rule that is one number. */
export interface Limit extends PolicySetting {
  readonly limit: number;
}

/** A rule that is one number, as written. */
export type WrittenLimit = number | Limit;

/** A rule that is written as its number alone, or as an object that may also have a level. */
export const limitShape = <Setting extends z.core.$ZodType<number>>(setting: Setting) =>
  z.union([setting, z.strictObject({ limit: setting, level: levelShape })]);

export function readLimit(written: WrittenLimit): Limit {
  return typeof written === 'number' ? { limit: written, level: 'deny' } : written;
}
