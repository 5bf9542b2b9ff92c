import type { Client } from '../api/client.ts';
import type { ServiceIdentity } from '../domain/service-identity.ts';
import type { ServiceSettings } from '../domain/workspace.ts';

/** The known identity of the service. Its answers show if it is a simulator. */
export function identityOf({ identity }: ServiceSettings, client: Client): ServiceIdentity {
  return { ...identity, simulator: identity.simulator || client.serverInfo().isSimulator };
}
