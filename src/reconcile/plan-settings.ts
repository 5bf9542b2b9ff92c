import { RATES, type Client } from '../api/client.ts';
import { TOKEN_PER_SECOND } from '../api/row.ts';
import type { Workspace } from '../domain/workspace.ts';
import type { PlanInput } from '../plan/build.ts';
import { identityOf } from './service-identity.ts';

type PlanSettings = Pick<
  PlanInput,
  'service' | 'policy' | 'ownershipPrefix' | 'unmatched' | 'settleMs' | 'warnBeforeMs' | 'rates'
>;

/** What is the same for all plans of a workspace. */
export function settingsOfPlans(
  { policy, ownershipPrefix, unmatched, service }: Workspace,
  client: Client,
): PlanSettings {
  return {
    service: identityOf(service, client),
    policy,
    ownershipPrefix,
    unmatched,
    settleMs: service.settleSec * 1000,
    warnBeforeMs: service.warnBeforeHours * 3_600_000,
    rates: { token: TOKEN_PER_SECOND, endpoint: RATES },
  };
}
