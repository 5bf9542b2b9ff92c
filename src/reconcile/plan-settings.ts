import { RATES, type Client } from '../api/client.ts';
import { TOKEN_PER_SECOND } from '../api/row.ts';
import { clocksApartMs } from '../apply/step-context.ts';
import type { Workspace } from '../domain/workspace.ts';
import type { PlanInput } from '../plan/build.ts';
import { identityOf } from './service-identity.ts';

type PlanSettings = Pick<
  PlanInput,
  | 'service'
  | 'policy'
  | 'ownershipPrefix'
  | 'unmatched'
  | 'clocksApartMs'
  | 'settleMs'
  | 'warnBeforeMs'
  | 'rates'
>;

/** What does not depend on the lists of a run: the settings of the workspace, and what the client has heard so far. */
export function settingsOfPlans(
  { policy, ownershipPrefix, unmatched, service }: Workspace,
  client: Client,
): PlanSettings {
  return {
    service: identityOf(service, client),
    policy,
    ownershipPrefix,
    unmatched,
    clocksApartMs: clocksApartMs({ client }),
    settleMs: service.settleSec * 1000,
    warnBeforeMs: service.warnBeforeHours * 3_600_000,
    rates: { token: TOKEN_PER_SECOND, endpoint: RATES },
  };
}
