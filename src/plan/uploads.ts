import type { Change, Step } from '../domain/change.ts';
import { filesOf, type MediaOnRecord } from '../domain/media.ts';
import type { MediaFile } from '../domain/message.ts';
import type { Declared, ResolvedAccount } from '../domain/resource.ts';

/** An estimate: what a connection takes in a second, and what the service needs in addition to the bytes. */
const BYTES_PER_SECOND = 10_000_000;
export const PROCESSING_SEC = 5;

/** Puts the uploads before everything else of a change that may create; the same change where none is missing. */
export type AddUploads = (change: Change, declared: Declared) => Change;

/**
 * Uploads come first, so that nothing is stopped for what cannot be brought into the vault. Each change names the
 * files that it needs; an apply brings each to an account once, several side by side.
 */
export function uploadsFor(accounts: readonly ResolvedAccount[], media: MediaOnRecord): AddUploads {
  const idOf = new Map(accounts.map(({ alias, accountId }) => [alias, accountId]));
  const there = new Set([...media].map(([key, print]) => `${key.slice(0, key.indexOf('/'))}/${print}`));
  return (change, { address, content }) => {
    if (!change.steps.some(({ kind }) => kind === 'create')) return change;
    const missing = filesOf(content).filter(
      ({ digest }) => !there.has(`${idOf.get(address.account) ?? ''}/${digest}`),
    );
    return missing.length === 0
      ? change
      : { ...change, steps: [...missing.map(uploadStep), ...change.steps] };
  };
}

function uploadStep({ path, size }: MediaFile): Step {
  const seconds = PROCESSING_SEC + Math.ceil(size / BYTES_PER_SECOND);
  return { kind: 'upload', live_id: null, file: path, size, about_sec: seconds };
}
