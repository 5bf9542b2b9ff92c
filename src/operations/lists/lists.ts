import { ACCOUNT_AND_TRAFFIC_LISTS } from './accounts-and-traffic.ts';
import type { ListDefinition } from './definition.ts';
import { MESSAGE_AND_MEDIA_LISTS } from './messages-and-media.ts';
import { TEAM_AND_MONEY_LISTS } from './team-and-money.ts';

/**
 * All list commands by their two words. Data only, because the command line reads it before it knows which command
 * runs.
 */
const LISTS = {
  ...ACCOUNT_AND_TRAFFIC_LISTS,
  ...TEAM_AND_MONEY_LISTS,
  ...MESSAGE_AND_MEDIA_LISTS,
} as const satisfies Readonly<Record<string, ListDefinition>>;

export type ListName = keyof typeof LISTS;

export const LIST_NAMES = Object.keys(LISTS) as readonly ListName[];

/** The definition as the common type, for code that treats all lists alike. */
export function listOf(name: ListName): ListDefinition {
  return LISTS[name];
}
