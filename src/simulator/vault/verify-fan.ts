import { accountOf } from '../access.ts';
import type { Call } from '../call.ts';
import { invalid, notFound } from '../refusal.ts';
import type { World } from '../world.ts';

/** A link on the platform's host (VAULT-16). Assumed: its path ends with the fan's id, or with `u` and the id. */
export function verifyFan(world: World, { params, body }: Call<'vault.verify-fan'>): object {
  const { fans } = accountOf(world, params.account_id);
  const { hostname, pathname } = new URL(body.fan_link);
  if (hostname.replace(/^www\./, '') !== world.modes.platformHost)
    throw invalid(world.modes, `fan_link must lead to ${world.modes.platformHost}`, 'fan_link');
  const id = /\/u?(\d+)\/?$/.exec(pathname)?.[1];
  if (id === undefined || !fans.includes(id)) throw notFound('Fan');
  return { fan_id: id };
}
