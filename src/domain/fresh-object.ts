import type { AccountId } from './ids.ts';
import type { KnownObject } from './knowledge.ts';
import type { Kind } from './resource.ts';

/** An object that nothing is known of yet. */
export function freshObject(id: string, accountId: AccountId, kind: Kind): KnownObject {
  return {
    id,
    accountId,
    kind,
    name: '',
    createdByHerald: false,
    ours: false,
    isProtected: false,
    contentDigest: null,
    hiddenDigest: null,
    listIds: null,
    media: null,
    pausedFor: null,
    pausedAtMs: null,
    supersededBy: null,
    recalled: false,
    recallRefused: false,
    rewrites: NO_REWRITES,
    createdBy: null,
    createLeftMs: null,
    createdAs: null,
  };
}

const NO_REWRITES: KnownObject['rewrites'] = [];
