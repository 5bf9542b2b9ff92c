import type { FieldDifference } from '../../../domain/change.ts';
import { sameInstant } from './normalise.ts';

/**
 * | declared    | live missing or null | live present                    |
 * | null        | equal                | different                       |
 * | boolean     | equal: unknown       | explicit inequality differs     |
 * | number, text| different            | compared by value               |
 * | instant     | different            | compared as instants            |
 * | object      | each declared member is compared like a rule of its own         |
 */
export function compareRules(
  declared: Readonly<Record<string, unknown>>,
  live: Readonly<Record<string, unknown>>,
  prefix = 'rules',
): readonly FieldDifference[] {
  return Object.entries(declared).flatMap(([key, wanted]) =>
    compareRule(`${prefix}.${key}`, wanted, live[key] ?? null),
  );
}

function compareRule(path: string, wanted: unknown, got: unknown): readonly FieldDifference[] {
  if (wanted === undefined) return [];
  if (isRecord(wanted)) return compareRules(wanted, isRecord(got) ? got : {}, path);
  if (typeof wanted === 'boolean' && got === null) return [];
  return sameRule(path, wanted, got) ? [] : [{ path, old: got, new: wanted }];
}

function sameRule(path: string, wanted: unknown, got: unknown): boolean {
  if (path.endsWith('.end_at') && typeof wanted === 'string' && typeof got === 'string')
    return sameInstant(wanted, got);
  return wanted === got;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
