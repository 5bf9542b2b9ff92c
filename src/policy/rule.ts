import * as z from 'zod/mini';
import type { DiagnosticCode } from '../domain/codes.ts';
import type { Declared, ObservedBroadcast } from '../domain/resource.ts';
import { withHelp } from '../domain/value-shapes.ts';
import { POLICY_LEVELS, type Policy, type PolicySetting } from '../domain/workspace.ts';
import type { Allowance } from '../domain/change-kinds.ts';

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
  /** When it goes out. Null for one of a campaign, and for one that goes out together with the one before it. */
  readonly dueMs: number | null;
  /** True if it goes to many fans, which takes a while. */
  readonly isBroadcast: boolean;
}

/** One field of one resource that breaks a rule. */
export interface PolicyViolation {
  readonly resource: Declared;
  /** From the resource down to the field. */
  readonly path: Path;
  /** What is wrong, with the rule's name and setting. */
  readonly message: string;
}

export interface RunCase {
  readonly changes: number;
  readonly allow: ReadonlySet<Allowance>;
  /** Addresses of resources that were not created before their time passed. */
  readonly missed: readonly string[];
}

/** A rule of `policy:`, a row of the table in `rules.ts`. It has one or two of the checks at the end. */
export interface PolicyRule<Setting extends PolicySetting = PolicySetting> {
  /** Its key below `policy:`, and its name in every output. */
  readonly key: string;
  readonly code: DiagnosticCode;
  readonly shape: z.ZodMiniType<Setting>;
  /** What an editor shows for the key, from the JSON schema. */
  readonly help: string;
  /** What holds while the file does not set the rule. Left out for nothing. */
  readonly default?: Setting;
  /** The setting in words, without its level. */
  describe(setting: Setting, policy: Policy): string;
  /** How one message breaks it: sentences that go on after the name of the message. */
  readonly inMessage?: {
    /** The field that breaks it, of the message at this index. */
    path(index: number): Path;
    judge(setting: Setting): (message: PolicyMessage) => readonly string[];
  };
  /** What breaks it, of the resources that are to be sent. */
  check?(
    resources: readonly Declared[],
    setting: Setting,
    policyCase: PolicyCase,
  ): readonly PolicyViolation[];
  /** Why a run breaks it, which only a plan can tell. Null if it does not. */
  checkRun?(run: RunCase, setting: Setting): string | null;
}

/** How a policy sets a rule. Null if it does not. */
export function settingOf<Setting extends PolicySetting>(
  { key }: PolicyRule<Setting>,
  policy: Policy,
): Setting | null {
  return (policy[key] as Setting | undefined) ?? null;
}

export const levelShape = withHelp(
  'deny (default) refuses the whole run; warn only prints a warning.',
  z._default(z.enum(POLICY_LEVELS), 'deny'),
);

/** A rule as its value alone, or as an object that has it under `key` and may have a level. */
export function ruleShape<
  Key extends string,
  Value extends z.ZodMiniType,
  More extends z.core.$ZodShape = Readonly<Record<never, never>>,
>(key: Key, value: Value, more?: More) {
  type Setting = PolicySetting & { readonly [One in Key]: z.output<Value> } & {
    readonly [One in keyof More]?: z.output<More[One]>;
  };
  const long = z.strictObject({ [key]: value, ...more, level: levelShape });
  const read = z.transform((written: unknown) =>
    typeof written === 'object' && !Array.isArray(written) ? written : { [key]: written, level: 'deny' },
  );
  const written: z.ZodMiniType = z.union([value, long]);
  return z.pipe(written, read) as z.ZodMiniType as z.ZodMiniType<Setting>;
}
