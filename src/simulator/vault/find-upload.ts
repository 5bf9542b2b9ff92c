import { notFound } from '../refusal.ts';
import type { AccountState } from '../state.ts';
import type { World } from '../world.ts';
import type { Upload } from './state.ts';

/** The upload with this key in this account. */
export function uploadOf(account: AccountState, key: string): Upload {
  const upload = uploadUnder(account, key);
  if (upload === undefined) throw notFound('Upload');
  return upload;
}

/** The upload with this key in any account, because the object store knows only keys. Null if there is none. */
export function findUpload(
  { accounts }: World,
  key: string,
): { readonly accountId: string; readonly upload: Upload } | null {
  for (const account of Object.values(accounts)) {
    const upload = uploadUnder(account, key);
    if (upload !== undefined) return { accountId: account.live.id, upload };
  }
  return null;
}

/** A key from outside may be called like a member that every object inherits. */
function uploadUnder({ vault }: AccountState, key: string): Upload | undefined {
  return Object.hasOwn(vault.uploads, key) ? vault.uploads[key] : undefined;
}
