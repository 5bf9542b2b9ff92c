import { Bytes, invalid, notFound } from './answers.ts';
import { mediaFlags } from './chat-history.ts';
import { listPage } from './paging.ts';
import { drawUuid, mixText, takeId } from './random.ts';
import { extraFields } from './reads.ts';
import { isoTime } from './records.ts';
import type { Call } from './requests.ts';
import type { SeedOf } from './seed-shape.ts';
import { POSTS_FOLDER, type UploadRecord, type Vault, type VaultFolder, type VaultMedia } from './state.ts';
import { advanceVault, putMedia } from './uploads.ts';
import { getAccount, type World } from './world.ts';

/** Assumed: besides `all`, the filter's values are the words for kinds of media (VAULT-1). */
const TYPES: readonly string[] = ['all', 'photo', 'video', 'gif', 'audio'];

export function listFolders(world: World, call: Call<'vault.folders'>): object {
  const vault = advanceVault(world, getAccount(world, call.params.account_id));
  return listPage(call, vault.folders, (folder) => readFolder(world, vault, folder));
}

/** Assumed: newest first (VAULT-13). */
export function listMedia(world: World, call: Call<'vault.media'>): object {
  const { params, query } = call;
  const vault = advanceVault(world, getAccount(world, params.account_id));
  const { type = 'all' } = query;
  if (!TYPES.includes(type)) throw invalid(world.modes, `type must be one of ${TYPES.join(', ')}`, 'type');
  if (!vault.folders.some(({ id }) => id === params.folder_id)) throw notFound('Folder');
  const medias = vault.medias.filter(
    (media) => media.folder_id === params.folder_id && (type === 'all' || media.type === type),
  );
  return listPage(call, medias.toReversed(), (media) => readMedia(world, media));
}

/** A picture of one pixel. */
const THUMBNAIL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

export function readThumbnail(world: World, { params }: Call<'vault.thumbnail'>): Bytes {
  const { medias } = advanceVault(world, getAccount(world, params.account_id));
  if (!medias.some(({ id }) => id === params.media_id)) throw notFound('Media');
  return new Bytes('application/octet-stream', THUMBNAIL);
}

/** Ids are integers in JSON, longer than a JavaScript number holds. */
function readFolder(world: World, { medias }: Vault, { id, type, name }: VaultFolder): object {
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
    ...extraFields(world),
  };
}

function readMedia(world: World, { id, type, createdMs }: VaultMedia): object {
  return {
    id: BigInt(id),
    type,
    ...mediaFlags(mixText(world.data.seed, `media ${id}`), type),
    created_at: isoTime(createdMs),
    thumbnail_url: `https://media.example.com/thumbnails/${id}.jpg`,
    ...extraFields(world),
  };
}

/** A link on the platform's host (VAULT-16). Assumed: its path ends with the fan's id, or with `u` and the id. */
export function verifyFan(world: World, { params, body }: Call<'vault.verify-fan'>): object {
  const { fans } = getAccount(world, params.account_id);
  const { platformHost } = world.modes;
  const { hostname, pathname } = new URL(body.fan_link);
  if (hostname.replace(/^www\./, '') !== platformHost)
    throw invalid(world.modes, `fan_link must lead to ${platformHost}`, 'fan_link');
  const id = /\/u?(\d+)\/?$/.exec(pathname)?.[1];
  if (id === undefined || !fans.includes(id)) throw notFound('Fan');
  return { fan_id: id };
}

export function seedFolder(world: World, vault: Vault, seed: SeedOf<'vault_folder'>): VaultFolder {
  const { id = takeId(world, 'nextMediaId'), type = 'custom', photos = 0 } = seed;
  const folder = { id, type, name: seed.name ?? `Folder ${vault.folders.length + 1}` };
  vault.folders.push(folder);
  for (let count = 0; count < photos; count += 1) seedMedia(world, vault, { folder_id: folder.id });
  return folder;
}

export function seedMedia(world: World, vault: Vault, seed: SeedOf<'vault_media'>): VaultMedia {
  const { folder_id = POSTS_FOLDER.id, type = 'photo', created_at } = seed;
  const createdMs = created_at === undefined ? world.nowMs : Date.parse(created_at);
  return putMedia(world, vault, { folder_id, type, createdMs, upload: null });
}

export function seedUpload(world: World, vault: Vault, seed: SeedOf<'vault_upload'>): UploadRecord {
  const { name = 'seeded.jpg', status = 'exported', key = `seeded/${drawUuid(world)}` } = seed;
  const createdMs = seed.created_at === undefined ? world.nowMs : Date.parse(seed.created_at);
  const record: UploadRecord = {
    id: drawUuid(world),
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
