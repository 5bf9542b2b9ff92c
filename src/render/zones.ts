import { formatAddress, type Address } from '../domain/resource.ts';
import type { Zone } from './time-words.ts';

/** Declared time zones, by address (`alice/broadcast/Teaser`). */
export type Zones = ReadonlyMap<string, string>;

export const NO_ZONES: Zones = new Map();

/** The zone of these changes. Null if they have none, or not the same. */
export function zoneOf(changes: readonly { readonly address: Address }[], zones: Zones): Zone {
  const found = new Set(changes.map(({ address }) => zones.get(formatAddress(address)) ?? null));
  const [zone = null] = found;
  return found.size === 1 ? zone : null;
}
