import type { World } from '../world.ts';
import type { Webhooks } from './state.ts';

/** The true state of events, for tests. */
export interface WebhookTruth extends Pick<Webhooks, 'happened' | 'deliveries' | 'drops' | 'pauses'> {
  readonly waiting: number;
}

export function webhookTruth({ webhooks }: World): WebhookTruth {
  const { happened, deliveries, drops, pauses, outgoing } = webhooks;
  return { happened, deliveries, drops, pauses, waiting: outgoing.length };
}
