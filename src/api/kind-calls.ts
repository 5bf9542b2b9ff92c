import { KINDS, type Kind } from '../domain/resource.ts';
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

/** The kind and the call of an operation; null for an operation about something else. */
export function kindCallOf(operation: string): { readonly kind: Kind; readonly call: KindCall } | null {
  for (const kind of KINDS)
    for (const call of ['list', 'get', 'create', 'setStatus', 'unsend'] as const)
      if (KIND_CALLS[kind][call] === operation) return { kind, call };
  return null;
}
