import type { Diagnostic } from '../../src/domain/diagnostic.ts';
import type { Declared, PlaceOf } from '../../src/domain/resource.ts';
import { checkPolicy } from '../../src/policy/check.ts';
import type { PolicyCase } from '../../src/policy/rules.ts';
import type { Policy, PolicySetting } from '../../src/domain/workspace.ts';
import { NOON } from './flow-clock.ts';

/** Settings as their rules have them after they were read. */
type PolicySettings = Readonly<Record<string, PolicySetting & Readonly<Record<string, unknown>>>>;

/** A policy with its defaults, and the settings that a test is about. */
export function aPolicy(settings: PolicySettings = {}): Policy {
  const defaults: PolicySettings = { max_changes: { limit: 20, level: 'deny' } };
  return { ...defaults, ...settings };
}

/** Shows the path of the field as the file. */
const byPath: PlaceOf = ({ line, column }, path) => ({ file: path.join('.'), line, column });

/** What a policy finds at noon, with the path of the field as the file. */
export function policyFindings(
  declared: readonly Declared[],
  settings: PolicySettings,
  more: Partial<PolicyCase> = {},
): readonly Diagnostic[] {
  const policyCase = { declared, undeclared: [], sent: new Set<string>(), nowMs: NOON, ...more };
  return checkPolicy({ ...policyCase, policy: aPolicy(settings) }, byPath);
}

/** Each finding about one resource as `code at path`. */
export function denials(resource: Declared, settings: PolicySettings): readonly string[] {
  return policyFindings([resource], settings).map(({ code, file }) => `${code} at ${file}`);
}
