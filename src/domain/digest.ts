import { createHash } from 'node:crypto';

/** A short, stable fingerprint of a plain value. The order of keys does not matter; undefined counts as absent. */
export function digest(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex').slice(0, 32);
}

/** The whole hash: `sha256:` and 64 hex characters. */
export function sha256Of(value: unknown): string {
  return `sha256:${createHash('sha256').update(canonical(value)).digest('hex')}`;
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
