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
import { followFan, labelFan, listFans } from './chat/fans.ts';
import { listMessages, sendMessage } from './chat/handlers.ts';
import { listPayoutRequests, readBalances, requestPayout } from './payouts/handlers.ts';
import {
  listChargebacks,
  listSubscriptions,
  listTrackingLinks,
  listTrackingLinkUsers,
  listTransactions,
  listTrialLinks,
  listTrialLinkUsers,
} from './reads/handlers.ts';
import { listMembers, listMetrics } from './reads/team.ts';
import { exportUpload } from './vault/export.ts';
import { finishUpload } from './vault/finish.ts';
import { listFolders, listMedia, readThumbnail } from './vault/folders.ts';
import { retryUpload } from './vault/retry.ts';
import { startUpload } from './vault/start.ts';
import { listUploads } from './vault/upload-list.ts';
import { verifyFan } from './vault/verify-fan.ts';

/** One handler for every row of the catalogue. */
const HANDLERS = {
  'accounts.list': listAccounts,
  'accounts.get': getAccount,
  'traffic.subscriptions': listSubscriptions,
  'traffic.tracking-links': listTrackingLinks,
  'traffic.tracking-link-users': listTrackingLinkUsers,
  'traffic.trial-links': listTrialLinks,
  'traffic.trial-link-users': listTrialLinkUsers,
  'revenue.chargebacks': listChargebacks,
  'revenue.transactions': listTransactions,
  'team.metrics': listMetrics,
  'team.members': listMembers,
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
  'fans.list': listFans,
  'chat.messages': listMessages,
  'chat.send': sendMessage,
  'fans.label': labelFan,
  'fans.follow': followFan,
  'payouts.balances': readBalances,
  'payouts.list': listPayoutRequests,
  'payouts.request': requestPayout,
  'vault.folders': listFolders,
  'vault.media': listMedia,
  'vault.thumbnail': readThumbnail,
  'vault.uploads': listUploads,
  'vault.verify-fan': verifyFan,
  'vault.upload-start': startUpload,
  'vault.upload-finish': finishUpload,
  'vault.upload-export': exportUpload,
  'vault.upload-retry': retryUpload,
} as const satisfies { readonly [Name in Operation]: Handler<Name> };

/** The handler of an operation. The caller has parsed the call with the operation's row. */
export function handlerOf(operation: Operation): Handler<Operation> {
  const handlers: Readonly<Record<Operation, unknown>> = HANDLERS;
  return handlers[operation] as Handler<Operation>;
}
