import { accountOf } from '../access.ts';
import { Bytes, type Call } from '../call.ts';
import { mediaFlags } from '../media-flags.ts';
import { pageOf } from '../paging.ts';
import { mixText } from '../reads/mix.ts';
import { isoTime } from '../records.ts';
import { invalid, notFound } from '../refusal.ts';
import type { World } from '../world.ts';
import { advanceVault } from './lifecycle.ts';
import type { Vault, VaultFolder, VaultMedia } from './state.ts';

/** The default page size (VAULT-1). */
const LIMIT_DEFAULT = 10;

/** Assumed: besides `all`, the filter's values are the words for kinds of media (VAULT-1). */
const TYPES: readonly string[] = ['all', 'photo', 'video', 'gif', 'audio'];

export function listFolders(world: World, { params, query, effects }: Call<'vault.folders'>): object {
  const vault = advanceVault(world, accountOf(world, params.account_id));
  const page = pageOf(vault.folders, { limit: query.limit ?? LIMIT_DEFAULT, offset: query.offset }, effects);
  return { items: page.items.map((folder) => readFolder(world, vault, folder)) };
}

/** Assumed: newest first (VAULT-13). */
export function listMedia(world: World, { params, query, effects }: Call<'vault.media'>): object {
  const vault = advanceVault(world, accountOf(world, params.account_id));
  const { type = 'all' } = query;
  if (!TYPES.includes(type)) throw invalid(world.modes, `type must be one of ${TYPES.join(', ')}`, 'type');
  if (!vault.folders.some(({ id }) => id === params.folder_id)) throw notFound('Folder');
  const medias = vault.medias
    .filter((media) => media.folder_id === params.folder_id && (type === 'all' || media.type === type))
    .toReversed();
  const page = pageOf(medias, { limit: query.limit ?? LIMIT_DEFAULT, offset: query.offset }, effects);
  return { items: page.items.map((media) => readMedia(world, media)) };
}

/** A picture of one pixel. */
const THUMBNAIL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

export function readThumbnail(world: World, { params }: Call<'vault.thumbnail'>): Bytes {
  const { medias } = advanceVault(world, accountOf(world, params.account_id));
  if (!medias.some(({ id }) => id === params.media_id)) throw notFound('Media');
  return new Bytes('application/octet-stream', THUMBNAIL);
}

/** Ids are integers in JSON, longer than a JavaScript number holds. */
function readFolder({ modes }: World, { medias }: Vault, { id, type, name }: VaultFolder): object {
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
    ...(modes.extraFields ? { revision: 1 } : {}),
  };
}

function readMedia({ modes, data }: World, { id, type, createdMs }: VaultMedia): object {
  return {
    id: BigInt(id),
    type,
    ...mediaFlags(mixText(data.seed, `media ${id}`), type),
    created_at: isoTime(createdMs),
    thumbnail_url: `https://media.example.com/thumbnails/${id}.jpg`,
    ...(modes.extraFields ? { revision: 1 } : {}),
  };
}
