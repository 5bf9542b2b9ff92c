import type * as z from 'zod/mini';
import type { DiagnosticCode } from '../domain/codes.ts';
import type { Allowance } from '../domain/allowance.ts';
import type { Policy, PolicySetting } from '../domain/policy.ts';
import type { Declared, ObservedBroadcast } from '../domain/resource.ts';

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

/** One message that a command sends now, and that no file declares. */
export interface MessageNow {
  readonly text: string | null;
  /** In US dollars, 0 for free. */
  readonly price: number;
  /** The service's time, epoch milliseconds. */
  readonly atMs: number;
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

/** Something wrong with a rule as it is written; the path starts at the rule's key. */
export interface WrittenProblem {
  /** An error, if it is not given. */
  readonly severity?: 'warning';
  readonly code: DiagnosticCode;
  readonly path: Path;
  readonly message: string;
}

export interface ReadContext<Engine> {
  readonly engine: Engine | null;
  /** The settings of the rules that come before this one in the table. */
  readonly before: Policy;
}

/** What the problems of a rule can depend on. */
export interface WrittenContext<Engine = unknown> {
  readonly engine: Engine | null;
  /** How a number is written below the rule's key; undefined for plain digits with up to two decimals. */
  readonly oddNumberAt: (path: Path) => string | undefined;
}

/** What every rule says about itself. */
export interface RuleDefinition<Written, Setting extends PolicySetting, Engine> {
  /** Its key below `policy:`, and its name in every output. */
  readonly key: string;
  /** The code of its findings. */
  readonly code: DiagnosticCode;
  /** As people write it. */
  readonly shape: z.core.$ZodType;
  /** What an editor shows for the key, from the JSON schema. */
  readonly help?: string;
  /** What holds while the file does not set the rule; null for nothing. */
  readonly default: Setting | null;
  /** What it applies to, as the table of the reference says it. */
  readonly appliesTo: string;
  /** One line of YAML below `policy:`. */
  readonly example: string;
  /**
   * Loads what is too large to load for every workspace; null if the text of the file cannot need it. Called only where
   * the file names the rule.
   */
  loadEngine?(text: string): Promise<Engine | null>;
  /** The setting; null where what is written forbids nothing. */
  read(written: Written, context: ReadContext<Engine>): Setting | null;
  /** What the shape cannot check. */
  problems?(written: Written, context: WrittenContext<Engine>): readonly WrittenProblem[];
  /** The setting in words, without its level. */
  describe(setting: Setting): string;
}

/** A rule about what the files declare. */
export interface ChecksResources<Setting> {
  /** What breaks it, of the resources that are to be sent. */
  check(resources: readonly Declared[], setting: Setting, policyCase: PolicyCase): readonly PolicyViolation[];
  /** How a single message breaks it. Missing if the rule is not about single messages. */
  checkMessage?(message: MessageNow, setting: Setting): readonly string[];
  readonly checkRun?: never;
}

/** A rule about a run: only a plan can tell. */
export interface ChecksRuns<Setting> {
  /** Why the run breaks it; null where it does not. */
  checkRun(run: RunCase, setting: Setting): string | null;
  readonly check?: never;
  readonly checkMessage?: never;
}

/**
 * One rule of `policy:`. It is added by one file below `policy/rules/` and one line in `policy/rules.ts`; everything
 * else reads that table.
 */
export type PolicyRule<
  Written = unknown,
  Setting extends PolicySetting = PolicySetting,
  Engine = unknown,
> = RuleDefinition<Written, Setting, Engine> & (ChecksResources<Setting> | ChecksRuns<Setting>);

/** How a policy sets a rule; null where it does not. */
export function settingOf<Setting extends PolicySetting>(
  { key }: PolicyRule<unknown, Setting>,
  policy: Policy,
): Setting | null {
  return (policy[key] as Setting | undefined) ?? null;
}
