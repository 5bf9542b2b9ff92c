import { seedChat, seedMessage } from './chat.ts';
import { editBroadcast, editCampaign, seedBroadcast, seedCampaign } from './messaging.ts';
import { seedPayoutRequest } from './payouts.ts';
import type { AccountEdit, Edit, Seed } from './seed-shape.ts';
import { dropUndefined } from './shapes.ts';
import type { AccountState } from './state.ts';
import { seedFolder, seedMedia, seedUpload } from './vault.ts';
import { getAccount, setPayouts, type World } from './world.ts';

/** Changes live state without the API, as a person does on the service's own screens. Returns what answers show. */
export function applyEdit(world: World, edit: Edit): object {
  switch (edit.kind) {
    case 'campaign':
      return editCampaign(world, edit.account_id, edit, edit.set).live;
    case 'broadcast':
      return editBroadcast(world, edit.account_id, edit, edit.set).live;
    case 'account':
      return editAccount(world, edit.account_id, edit.set);
  }
}

/** A username may move to another account. */
export function editAccount(world: World, accountId: string, set: AccountEdit): AccountState['live'] {
  return Object.assign(getAccount(world, accountId).live, dropUndefined(set));
}

/** Adds an object to an account without the API. Returns what answers show. */
export function applySeed(world: World, seed: Seed): object {
  const account = getAccount(world, seed.account_id);
  switch (seed.kind) {
    case 'campaign':
      return seedCampaign(world, seed.account_id, seed.set).live;
    case 'broadcast':
      return seedBroadcast(world, seed.account_id, seed.set).live;
    case 'payout_request':
      return seedPayoutRequest(world, account, seed.set);
    case 'payouts':
      return setPayouts(account, seed.set);
    case 'chat':
      return seedChat(account, seed.set);
    case 'chat_message':
      return seedMessage(world, account, seed.set);
    case 'vault_folder':
      return seedFolder(world, account.vault, seed.set);
    case 'vault_media':
      return seedMedia(world, account.vault, seed.set);
    case 'vault_upload':
      return seedUpload(world, account.vault, seed.set);
  }
}
