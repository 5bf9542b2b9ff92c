import { accountOf } from '../access.ts';
import { takeId } from '../ids.ts';
import type { World } from '../world.ts';
import { putMedia } from './lifecycle.ts';
import type { FolderSeed, MediaSeed, UploadSeed, VaultSeed } from './seed-shape.ts';
import { POSTS_FOLDER, type UploadRecord, type Vault, type VaultFolder, type VaultMedia } from './state.ts';
import { newUuid } from './uuid.ts';

/** Adds something to a vault that was not uploaded through this API. */
export function seedVault(world: World, seed: VaultSeed): object {
  const { vault } = accountOf(world, seed.account_id);
  switch (seed.kind) {
    case 'vault_folder':
      return seedFolder(world, vault, seed.set);
    case 'vault_media':
      return seedMedia(world, vault, seed.set);
    case 'vault_upload':
      return seedUpload(world, vault, seed.set);
  }
}

function seedFolder(world: World, vault: Vault, { id, name, type, photos = 0 }: FolderSeed): VaultFolder {
  const folder: VaultFolder = {
    id: id ?? takeId(world, 'nextMediaId'),
    type: type ?? 'custom',
    name: name ?? `Folder ${vault.folders.length + 1}`,
  };
  vault.folders.push(folder);
  for (let count = 0; count < photos; count += 1) seedMedia(world, vault, { folder_id: folder.id });
  return folder;
}

function seedMedia(world: World, vault: Vault, { folder_id, type, created_at }: MediaSeed): VaultMedia {
  return putMedia(world, vault, {
    folder_id: folder_id ?? POSTS_FOLDER.id,
    type: type ?? 'photo',
    createdMs: created_at === undefined ? world.nowMs : Date.parse(created_at),
    upload: null,
  });
}

function seedUpload(world: World, vault: Vault, seed: UploadSeed): UploadRecord {
  const { name = 'seeded.jpg', status = 'exported', key = `seeded/${newUuid(world)}` } = seed;
  const createdMs = seed.created_at === undefined ? world.nowMs : Date.parse(seed.created_at);
  const record: UploadRecord = {
    id: newUuid(world),
    status,
    media_id: status === 'exported' ? seedMedia(world, vault, {}).id : null,
    metadata: { name, size: 1, content_type: 'image/jpeg', key, e_tag: '"seeded"', export_type: 'post' },
    key,
    createdMs,
    updatedMs: createdMs,
    listedFromMs: createdMs,
    nextMs: null,
    fate: null,
  };
  vault.records.push(record);
  return record;
}
