import * as z from 'zod';
import { accountOf } from './access.ts';
import type { World } from './world.ts';

/** The fields of an account that a person may change. A label of null means no label. */
export const accountEditShape = z.strictObject({
  account_id: z.string(),
  set: z.strictObject({
    username: z.string().min(1).optional(),
    custom_label: z.string().nullable().optional(),
  }),
});
export type AccountEdit = z.infer<typeof accountEditShape>['set'];

/** Changes an account as a person does. A username may move to another account. */
export function editAccount(world: World, { account_id, set }: z.infer<typeof accountEditShape>): object {
  const { live } = accountOf(world, account_id);
  if (set.username !== undefined) live.username = set.username;
  if (set.custom_label !== undefined) live.custom_label = set.custom_label;
  return live;
}
