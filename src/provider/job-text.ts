/** Values of the environment and of event files. People choose parts of them, so each is checked. */

/** A commit's whole hash, SHA-1 or SHA-256. All zeros means none. */
const COMMIT = /^(?!0+$)[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const REPOSITORY = /^[\w.-]+(?:\/[\w.-]+)+$/;
const RUN = /^\d{1,20}$/;

export function commitIn(text: unknown): string | null {
  return typeof text === 'string' && COMMIT.test(text) ? text : null;
}

export function repositoryIn(text: unknown): string | null {
  return typeof text === 'string' && REPOSITORY.test(text) ? text : null;
}

/** The name of a branch; null for a tag and for nothing. */
export function branchIn(text: unknown): string | null {
  if (typeof text !== 'string' || text === '' || text.startsWith('refs/tags/')) return null;
  return text.replace(/^refs\/heads\//, '');
}

export function runIdIn(text: unknown): string | null {
  return typeof text === 'string' && RUN.test(text) ? text : null;
}

/** A number that counts from 1, written as a number or as text. */
export function countIn(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : null;
}

/** A member of a value of any type; undefined if there is none. */
export function memberOf(value: unknown, ...path: readonly string[]): unknown {
  let found: unknown = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[key];
  }
  return found;
}
