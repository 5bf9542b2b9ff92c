import { objectKey, type Knowledge, type KnownObject } from '../domain/knowledge.ts';
import type { Observed } from '../domain/resource.ts';
import { statusOf, STATUS_TRAITS } from '../domain/status.ts';
import { knownOf } from './match.ts';

/** When the ledger last heard of a field of an object, in epoch milliseconds; null if it never did. */
export type HeardAtMs = (key: string, field: 'contentDigest' | 'pausedFor') => number | null;

/**
 * The service does not say how soon a list shows a change that it has answered (ERROR-6). A pause outside Herald looks the
 * same, so a start counts for a short time only. An object that is never deleted has no other reason to be missing.
 */
const START_MAY_LAG_MS = 5 * 60_000;
const CREATE_MAY_LAG_MS = 86_400_000;

interface JustNowInput {
  readonly knowledge: Knowledge;
  readonly nowMs: number;
  /** Absent if nothing is known of it. */
  readonly heardAtMs?: HeardAtMs;
}

/** What the ledger knows and a list may not show yet. */
export interface JustNow {
  /** Herald has started it, and the list shows it as stopped. */
  readonly started: (object: Observed) => boolean;
  /** Herald has created it, and has not stopped it since. */
  readonly created: (known: KnownObject) => boolean;
}

export function justNow({ knowledge, nowMs, heardAtMs = () => null }: JustNowInput): JustNow {
  const isSince = (atMs: number | null, ms: number) => atMs !== null && nowMs - atMs < ms;
  return {
    started: (object) => {
      const { stopped, recalled } = STATUS_TRAITS[statusOf(object.live)];
      if (!stopped || recalled) return false;
      const known = knownOf(object, knowledge);
      if (known === null || !runsAsKnown(known)) return false;
      const key = objectKey(object.accountId, object.kind, object.live.id);
      return isSince(heardAtMs(key, 'pausedFor'), START_MAY_LAG_MS);
    },
    created: (known) => {
      if (!runsAsKnown(known)) return false;
      const { accountId, kind, id, createLeftMs } = known;
      const atMs = createLeftMs ?? heardAtMs(objectKey(accountId, kind, id), 'contentDigest');
      return isSince(atMs, CREATE_MAY_LAG_MS);
    },
  };
}

/** Nothing that Herald did has stopped it. */
export function runsAsKnown({ pausedFor, recalled }: KnownObject): boolean {
  return pausedFor === null && !recalled;
}
