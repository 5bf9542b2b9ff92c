import type { KnownObject } from '../domain/knowledge.ts';

/** What lines say of an object. */
export type Field = Exclude<keyof KnownObject, 'id' | 'accountId' | 'kind'>;

/** Each field that a line may say something of, with its column. */
export const COLUMNS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    name: 0,
    createdByHerald: 1,
    ours: 2,
    isProtected: 3,
    contentDigest: 4,
    hiddenDigest: 5,
    listIds: 6,
    media: 7,
    pausedFor: 8,
    pausedAtMs: 9,
    supersededBy: 10,
    recalled: 11,
    recallRefused: 12,
    rewrites: 13,
    createdBy: 14,
    createLeftMs: 15,
    createdAs: 16,
  } satisfies Record<Field, number>),
);
/** Names, makers and digests that many objects share. */
export const OFTEN_THE_SAME: ReadonlySet<string> = new Set<Field>(['name', 'createdBy', 'hiddenDigest']);
