import { readMember } from '../domain/field-path.ts';
import type { ListColumn } from '../domain/list-column.ts';
import { formatInstant, fullInstantMs } from '../domain/time.ts';
import { describeAudience, formatAmount } from './values.ts';
import { compactJson } from './json.ts';

/** The value at a path such as `fan.id` or `messages.0.text`, or undefined. */
export function valueAt(item: unknown, path: string): unknown {
  return path.includes('.') ? readMember(item, ...path.split('.')) : readMember(item, path);
}

/** A value as text for people. A value of an unexpected type is shown unchanged. */
export function cellText(value: unknown, { as = 'text', none = 'n/a', zero }: ListColumn): string {
  if (value === null || value === undefined) return none;
  if (value === 0 && zero !== undefined) return zero;
  if (as === 'money' && typeof value === 'number') return formatAmount(value);
  const ms = as === 'instant' && typeof value === 'string' ? fullInstantMs(value) : null;
  // UTC to the second: JSON and CSV have the rest. Other texts are shown unchanged (READ-7).
  if (ms !== null) return formatInstant(ms);
  if (as === 'flag' && typeof value === 'boolean') return value ? 'yes' : 'no';
  if (as === 'audience' && Array.isArray(value))
    return describeAudience(value, ' (the service returns no more)');
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((entry) => typeof entry !== 'object')) return value.join(', ');
  return compactJson(value);
}
