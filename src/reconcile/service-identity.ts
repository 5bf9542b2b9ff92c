import type { Client } from '../api/client.ts';
import type { ServiceIdentity } from '../domain/service-identity.ts';
import type { ServiceSettings } from '../domain/workspace.ts';

/** The service as it is known by now: whether it is a simulator, its answers tell. */
export function identityOf({ identity }: ServiceSettings, client: Client): ServiceIdentity {
  return { ...identity, simulator: identity.simulator || client.told().isSimulator };
}
