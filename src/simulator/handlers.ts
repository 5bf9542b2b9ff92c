import type { Operation } from '../api/catalogue.ts';
import type { Answer } from './answers.ts';
import { followFan, labelFan, listFans, listMessages, sendMessage } from './chat.ts';
import {
  createBroadcast,
  createCampaign,
  getSender,
  listSenders,
  recallSender,
  setSenderStatus,
} from './messaging.ts';
import { listPayouts, readBalances, requestPayout } from './payouts.ts';
import { listAccounts, listMembers, listMetrics, listRows, readOneAccount } from './reads.ts';
import type { Call, Handler } from './requests.ts';
import { exportUpload, finishUpload, listUploads, retryUpload, startUpload } from './uploads.ts';
import { listFolders, listMedia, readThumbnail, verifyFan } from './vault.ts';
import type { World } from './world.ts';

/** One handler for every row of the catalogue. */
const HANDLERS = {
  'accounts.list': listAccounts,
  'accounts.get': readOneAccount,
  'traffic.subscriptions': listRows,
  'traffic.tracking-links': listRows,
  'traffic.tracking-link-users': listRows,
  'traffic.trial-links': listRows,
  'traffic.trial-link-users': listRows,
  'revenue.chargebacks': listRows,
  'revenue.transactions': listRows,
  'team.metrics': listMetrics,
  'team.members': listMembers,
  'campaigns.list': listSenders,
  'campaigns.create': createCampaign,
  'campaigns.get': getSender,
  'campaigns.set-status': setSenderStatus,
  'campaigns.unsend': recallSender,
  'broadcasts.list': listSenders,
  'broadcasts.create': createBroadcast,
  'broadcasts.get': getSender,
  'broadcasts.set-status': setSenderStatus,
  'broadcasts.unsend': recallSender,
  'fans.list': listFans,
  'chat.messages': listMessages,
  'chat.send': sendMessage,
  'fans.label': labelFan,
  'fans.follow': followFan,
  'payouts.balances': readBalances,
  'payouts.list': listPayouts,
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

/** Executes a parsed call on the world. A change that the service refuses throws a `Refusal`. */
export function runCall(world: World, call: Call): Answer {
  const handlers: Readonly<Record<Operation, unknown>> = HANDLERS;
  // The call was parsed with the row of its own operation.
  return (handlers[call.operation] as Handler<Operation>)(world, call);
}
