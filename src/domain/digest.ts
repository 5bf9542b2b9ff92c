import { createHash } from 'node:crypto';

/**
 * A stable fingerprint of a plain value, in hex. The order of keys does not matter; undefined counts as absent. `whole` is the whole
 * hash: `sha256:` and 64 characters.
 */
export function digest(value: unknown, form: 'short' | 'whole' = 'short'): string {
  const hash = createHash('sha256').update(canonical(value)).digest('hex');
  return form === 'short' ? hash.slice(0, 32) : `sha256:${hash}`;
}

/** JSON with sorted keys, without `undefined` members. A world is long, so this makes one text from the start. */
export function canonical(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  let text = '';
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) text += `${at === 0 ? '' : ','}${canonical(value[at])}`;
    return `[${text}]`;
  }
  for (const key of Object.keys(value).sort()) {
    const member = (value as Readonly<Record<string, unknown>>)[key];
    if (member !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonical(member)}`;
  }
  return `{${text}}`;
}
