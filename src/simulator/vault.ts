import { Refusal } from './answers.ts';
import type { Call, Handlers, Seeders } from './calls.ts';
import { readMedia } from './chat.ts';
import { listPage } from './paging.ts';
import type { SeedOf } from './seed-shape.ts';
import type { AccountState, VaultFolder } from './state.ts';
import { type World, isoTime } from './world.ts';

/** Assumed: besides `all`, the filter's values are the words for kinds of media (VAULT-1). */
const TYPES: readonly string[] = ['all', 'photo', 'video', 'gif', 'audio'];

function listFolders(world: World, call: Call<'vault.folders'>): object {
  const account = world.getAccount(call.params);
  return listPage(call, account.vault.folders, (folder) => readFolder(account, folder));
}

/** Assumed: newest first (VAULT-13). */
function listMedia(world: World, call: Call<'vault.media'>): object {
  const { params, query } = call;
  const { vault } = world.getAccount(params);
  const { type = 'all' } = query;
  if (!TYPES.includes(type)) throw Refusal.invalid(`type must be one of ${TYPES.join(', ')}`, 'type');
  if (!vault.folders.some(({ id }) => id === params.folder_id)) throw Refusal.notFound('Folder');
  const medias = vault.medias.filter(
    (media) => media.folder_id === params.folder_id && (type === 'all' || media.type === type),
  );
  return listPage(call, medias.toReversed(), (media) => readMedia(world.data.seed, media));
}

const THUMBNAIL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

function readThumbnail(world: World, { params }: Call<'vault.thumbnail'>): Uint8Array<ArrayBuffer> {
  const { medias } = world.getAccount(params).vault;
  if (!medias.some(({ id }) => id === params.media_id)) throw Refusal.notFound('Media');
  return THUMBNAIL;
}

/** Ids are integers in JSON, longer than a JavaScript number holds. */
function readFolder({ vault: { medias } }: AccountState, { id, type, name }: VaultFolder): object {
  const types = medias.filter(({ folder_id }) => folder_id === id).map((media) => media.type);
  const count = (wanted: string) => types.filter((found) => found === wanted).length;
  return {
    id: BigInt(id),
    type,
    name,
    has_media: types.length > 0,
    can_update: true,
    can_delete: type === 'custom',
    videos_count: count('video'),
    photos_count: count('photo'),
    gifs_count: count('gif'),
    audios_count: count('audio'),
  };
}

const PLATFORM_HOST = 'platform.example';

/** A link on the platform's host (VAULT-16). Assumed: its path ends with the fan's id, or with `u` and the id. */
function verifyFan(world: World, { params, body }: Call<'vault.verify-fan'>): object {
  const { fans } = world.getAccount(params);
  const { hostname, pathname } = new URL(body.fan_link);
  if (hostname.replace(/^www\./, '') !== PLATFORM_HOST)
    throw Refusal.invalid(`fan_link must lead to ${PLATFORM_HOST}`, 'fan_link');
  const id = /\/u?(\d+)\/?$/.exec(pathname)?.[1];
  if (id === undefined || !fans.includes(id)) throw Refusal.notFound('Fan');
  return { fan_id: id };
}

function seedFolder(world: World, { vault }: AccountState, seed: SeedOf<'vault_folder'>): VaultFolder {
  const { id = world.takeId('nextMediaId'), type = 'custom', photos = 0 } = seed;
  const folder = { id, type, name: seed.name ?? `Folder ${vault.folders.length + 1}` };
  vault.folders.push(folder);
  const photo = { folder_id: folder.id, type: 'photo', created_at: isoTime(world.nowMs) };
  for (let count = 0; count < photos; count += 1)
    vault.medias.push({ id: world.takeId('nextMediaId'), ...photo });
  return folder;
}

export const VAULT = {
  'vault.folders': listFolders,
  'vault.media': listMedia,
  'vault.thumbnail': readThumbnail,
  'vault.verify-fan': verifyFan,
} as const satisfies Handlers;

export const VAULT_SEEDS = { vault_folder: seedFolder } as const satisfies Seeders;
