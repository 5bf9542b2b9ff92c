import { formatAddress, type Declared } from '../../domain/resource.ts';

/** The declared time zones, by address. */
export function zonesOf(declared: readonly Declared[]): ReadonlyMap<string, string> {
  return new Map(
    declared.flatMap(({ address, timezone }) =>
      timezone === null ? [] : [[formatAddress(address), timezone] as const],
    ),
  );
}
