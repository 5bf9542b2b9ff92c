import type { Kind } from '../domain/resource.ts';
import type { Operation } from './catalogue.ts';

/** The calls that exist for objects of every kind. */
type KindCall = 'list' | 'get' | 'create' | 'setStatus' | 'unsend';

/** The operation of each kind for each call. */
export const KIND_CALLS = {
  campaign: {
    list: 'campaigns.list',
    get: 'campaigns.get',
    create: 'campaigns.create',
    setStatus: 'campaigns.set-status',
    unsend: 'campaigns.unsend',
  },
  broadcast: {
    list: 'broadcasts.list',
    get: 'broadcasts.get',
    create: 'broadcasts.create',
    setStatus: 'broadcasts.set-status',
    unsend: 'broadcasts.unsend',
  },
} as const satisfies Record<Kind, Record<KindCall, Operation>>;
