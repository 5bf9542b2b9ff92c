import * as z from 'zod/mini';
import { withHelp } from '../domain/with-help.ts';
import { POLICY_LEVELS, type PolicyLevel, type PolicySetting } from '../domain/policy.ts';

/** A rule that is one number. */
export interface Limit extends PolicySetting {
  readonly limit: number;
}

/** `level:` of a rule. */
export const levelShape = withHelp(
  'deny (default) refuses the whole run; warn only prints a warning.',
  z.optional(z.enum(POLICY_LEVELS)),
);

/** A rule that is written as its number alone, or as an object that may also have a level. */
export const limitShape = <Setting extends z.core.$ZodType<number>>(setting: Setting) =>
  z.union([setting, z.strictObject({ limit: setting, level: levelShape })]);

interface WrittenLevel {
  readonly level?: PolicyLevel | undefined;
}

/** A rule that is one number, as written. */
export type WrittenLimit = number | (WrittenLevel & { readonly limit: number });

export function readLimit(written: WrittenLimit): Limit {
  return typeof written === 'number'
    ? { limit: written, level: 'deny' }
    : { limit: written.limit, level: readLevel(written) };
}

/** The level of a rule that is written as an object. */
export function readLevel({ level }: WrittenLevel): PolicyLevel {
  return level ?? 'deny';
}
