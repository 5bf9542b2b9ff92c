import * as z from 'zod';
import { accountOf } from './access.ts';
import type { World } from './world.ts';

/** What a person may change of an account; everything else stays. A label of null is none. */
export const accountEditShape = z.strictObject({
  account_id: z.string(),
  set: z.strictObject({
    username: z.string().min(1).optional(),
    custom_label: z.string().nullable().optional(),
  }),
});
export type AccountEdit = z.infer<typeof accountEditShape>['set'];

/** Changes an account in the service: a username may move to another account. */
export function editAccount(world: World, { account_id, set }: z.infer<typeof accountEditShape>): object {
  const { live } = accountOf(world, account_id);
  if (set.username !== undefined) live.username = set.username;
  if (set.custom_label !== undefined) live.custom_label = set.custom_label;
  return live;
}
