import { writes, type Change } from '../domain/change.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import type { Policy } from '../domain/policy.ts';
import { formatAddress, type Address, type Declared, type Kind, type PlaceOf } from '../domain/resource.ts';
import { checkPolicy, checkSent } from '../policy/check.ts';
import { classifyBroadcast } from './broadcast/column.ts';

import type { Scope } from './scope.ts';

interface FindingsInput {
  readonly declared: readonly Declared[];
  readonly policy: Policy;
  readonly placeOf: PlaceOf;
  readonly nowMs: number;
  /** Addresses that the run leaves out. */
  readonly leftOut: ReadonlySet<string>;
}

/** The policy's findings about a plan: about its files, together with live objects that stay. */
export function policyFindings(
  { declared, policy, nowMs, placeOf, leftOut }: FindingsInput,
  scopes: readonly Scope[],
  changes: readonly Change[],
): readonly Diagnostic[] {
  const sent = new Set(
    changes.filter(({ action }) => action === 'done').map(({ address }) => formatAddress(address)),
  );
  const isLeftOut = ({ address }: { readonly address: Address }) => leftOut.has(formatAddress(address));
  const carriedOut = changes.filter((change) => writes(change) && !isLeftOut(change));
  const retired = new Set(carriedOut.map(({ address, live_id: id }) => liveKey(address, id)));
  const undeclared = scopes.flatMap(({ unclaimed, declared: here, index }) => {
    const untouched = here.filter(isLeftOut).flatMap((resource) => index.groupOf(resource));
    return [...unclaimed, ...untouched].flatMap((object) =>
      object.kind === 'broadcast' &&
      classifyBroadcast({ observed: object }) === 'scheduled' &&
      !retired.has(liveKey(object, object.live.id))
        ? [object]
        : [],
    );
  });
  return checkPolicy({ declared, policy, undeclared, sent, leftOut, nowMs }, placeOf);
}

/**
 * Why the policy denies a broadcast that is sent at once and leaves now, in one sentence each; null if it does not. It was
 * judged with the plan, and quiet hours may have begun since. `nowMs` is the service's time.
 */
export function deniedAtOnce(policy: Policy, declared: Declared, nowMs: number): string | null {
  if (declared.kind !== 'broadcast' || declared.atOnce !== true) return null;
  const leaving = { ...declared, scheduledAtUtc: new Date(nowMs).toISOString() };
  const denials = checkSent(leaving, policy, nowMs).filter(({ severity }) => severity === 'error');
  return denials.length === 0 ? null : denials.map(({ message }) => message).join(' ');
}

function liveKey({ account, kind }: { readonly account: string; readonly kind: Kind }, id: string | null) {
  return `${account}/${kind}/${id ?? ''}`;
}
