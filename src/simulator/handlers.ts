import type { Operation } from '../api/catalogue.ts';
import { getAccount, listAccounts } from './account-handlers.ts';
import {
  createBroadcast,
  getBroadcast,
  listBroadcasts,
  patchBroadcast,
  unsendBroadcast,
} from './broadcast-handlers.ts';
import type { Handler } from './call.ts';
import {
  createCampaign,
  getCampaign,
  listCampaigns,
  patchCampaign,
  unsendCampaign,
} from './campaign-handlers.ts';

/** What the simulator serves; a row of the catalogue without an entry here answers 404. */
const HANDLERS = {
  'accounts.list': listAccounts,
  'accounts.get': getAccount,
  'campaigns.list': listCampaigns,
  'campaigns.create': createCampaign,
  'campaigns.get': getCampaign,
  'campaigns.set-status': patchCampaign,
  'campaigns.unsend': unsendCampaign,
  'broadcasts.list': listBroadcasts,
  'broadcasts.create': createBroadcast,
  'broadcasts.get': getBroadcast,
  'broadcasts.set-status': patchBroadcast,
  'broadcasts.unsend': unsendBroadcast,
} as const satisfies { readonly [Name in Operation]?: Handler<Name> };

/** The handler of an operation; the caller has parsed the call with the operation's own row. */
export function handlerOf(operation: Operation): Handler<Operation> | undefined {
  const handlers: Readonly<Record<string, unknown>> = HANDLERS;
  return handlers[operation] as Handler<Operation> | undefined;
}
