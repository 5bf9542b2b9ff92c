import * as z from 'zod';
import { maybe, wireIdShape, wireMediaIdShape, wireVaultMediaIdShape } from '../../domain/replies.ts';
import { idShape } from '../../domain/ids.ts';
import { accountParams, flagParam, offsetPage } from '../params.ts';
import { READ, WRITE, type Row } from '../row.ts';
import { UPLOAD_FILE } from '../upload-file.ts';

const vaultPath = '/api/v0/accounts/{account_id}/vault';
const uploadsPath = `${vaultPath}/medias/uploads`;

const VAULT_PAGING = { style: 'offset', items: 'items', most: 10, mayCap: true } as const;

/** The document says uuid form, and no version. */
const uuidForm = z
  .string()
  .regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'an upload id has the form of a UUID');

const uploadKey = z.string().min(1).max(1024);

/** An upload: `media_id` is null until the status is `exported` (VAULT-12). */
const uploadReply = z.looseObject({
  id: z.string().min(1),
  status: z.string().nullish(),
  media_id: maybe(wireMediaIdShape),
  metadata: maybe(
    z.looseObject({
      name: maybe(z.string()),
      size: maybe(z.number()),
      content_type: maybe(z.string()),
      key: maybe(z.string()),
      e_tag: maybe(z.string()),
    }),
  ),
  created_at: maybe(z.string()),
});

/** The answer to a start. Its fields tell which of the two forms it has (VAULT-5). */
const uploadStartReply = z.looseObject({
  get_url: maybe(z.string()),
  put_url: maybe(z.string()),
  key: maybe(z.string()),
  upload_id: maybe(z.string()),
  parts: maybe(z.array(z.looseObject({ id: z.int(), put_url: z.string().min(1) }))),
});

const OF_VAULT = { permission: 'media_uploader.manage', params: accountParams } as const;
const UPLOAD_CALL = { ...WRITE, ...OF_VAULT, perSecond: 3 } as const;

/** The vault; three or five requests a second for each (LIMIT-2). */
export const VAULT_ROWS = {
  'vault.folders': {
    ...READ,
    ...OF_VAULT,
    title: 'List the folders of the vault',
    path: `${vaultPath}/folders`,
    perSecond: 5,
    paging: VAULT_PAGING,
    query: z.strictObject(offsetPage(10)),
    reply: z.looseObject({ items: z.array(z.looseObject({ id: wireIdShape })) }),
    list: {
      columns: 'id name type photos_count videos_count gifs_count audios_count',
      more: 'has_media can_update can_delete',
      examples: ['herald vault folders --account alice'],
    },
  },
  'vault.media': {
    ...READ,
    ...OF_VAULT,
    title: 'List the media of a folder of the vault',
    path: `${vaultPath}/folders/{folder_id}/medias`,
    perSecond: 5,
    paging: VAULT_PAGING,
    params: accountParams.extend({ folder_id: z.string().regex(/^\d{1,100}$/, 'digits only') }),
    query: z.strictObject({ ...offsetPage(10), type: z.string().min(1).optional() }),
    reply: z.looseObject({ items: z.array(z.looseObject({ id: wireVaultMediaIdShape })) }),
    list: {
      argument: 'folder',
      columns: 'id type is_ready has_error can_view created_at',
      more: 'converted_to_video thumbnail_url',
      examples: [
        'herald vault media 12 --account alice',
        'herald vault media 12 --account alice --type photo',
      ],
    },
  },
  'vault.thumbnail': {
    ...READ,
    ...OF_VAULT,
    title: "Stream a media's thumbnail",
    path: `${vaultPath}/media/{media_id}/thumbnail`,
    perSecond: 3,
    params: accountParams.extend({
      media_id: z.string().regex(/^[1-9]\d*$/, 'a whole number of at least 1'),
    }),
    reply: 'binary',
  },
  'vault.uploads': {
    ...READ,
    ...OF_VAULT,
    title: 'List uploads into the vault',
    path: uploadsPath,
    perSecond: 3,
    paging: { style: 'offset_total', items: 'items', most: 100 },
    query: z.strictObject({ ...offsetPage(100), expired: flagParam.optional() }),
    reply: z.looseObject({ items: z.array(uploadReply), total: z.int().nullish() }),
    list: {
      columns: 'id status metadata.name metadata.size metadata.content_type media_id created_at updated_at',
      more: `metadata.duration metadata.export_type metadata.export_fan_id metadata.key metadata.e_tag metadata.get_url
        metadata.rf_guest metadata.rf_partner metadata.rf_tag`,
      cells: {
        status: { none: 'unnamed' },
        'metadata.name': 'name',
        'metadata.size': 'size (bytes)',
        'metadata.content_type': 'type',
        media_id: { none: '-' },
      },
      hasSecretUrls: true,
      examples: ['herald vault uploads --account alice --expired'],
    },
  },
  'vault.verify-fan': {
    ...UPLOAD_CALL,
    title: "Resolve a fan's link to an id",
    path: `${uploadsPath}/fans/verify`,
    repeat: 'idempotent',
    body: z.strictObject({ fan_link: z.url({ protocol: /^https?$/ }).max(2048) }),
    reply: z.looseObject({ fan_id: z.string().min(1) }),
  },
  'vault.upload-start': {
    ...UPLOAD_CALL,
    title: 'Start an upload: presigned addresses for the bytes',
    path: `${uploadsPath}/start`,
    repeat: 'once',
    body: z.strictObject(UPLOAD_FILE),
    reply: uploadStartReply,
  },
  'vault.upload-finish': {
    ...UPLOAD_CALL,
    title: 'Join the parts of a multipart upload',
    path: `${uploadsPath}/finish`,
    repeat: 'once',
    body: z.strictObject({
      key: uploadKey,
      upload_id: z.string().min(1).max(256),
      parts: z.array(z.strictObject({ part: z.int(), e_tag: z.string().min(1) })).min(1),
    }),
    reply: z.looseObject({ e_tag: z.string().min(1) }),
  },
  'vault.upload-export': {
    ...UPLOAD_CALL,
    title: 'Export uploaded bytes into the vault',
    path: `${uploadsPath}/export`,
    repeat: 'once',
    body: z.strictObject({
      ...UPLOAD_FILE,
      key: uploadKey,
      e_tag: z.string().min(1).max(256),
      get_url: z.url().max(2048),
      export_type: z.enum(['post', 'message']),
      export_fan_id: z.string().min(1).optional(),
      rf_guest: z.array(idShape).optional(),
      rf_partner: z.array(idShape).optional(),
      rf_tag: z.array(idShape).optional(),
    }),
    reply: uploadReply,
  },
  'vault.upload-retry': {
    ...UPLOAD_CALL,
    title: 'Queue a stuck upload again',
    path: `${uploadsPath}/{upload_id}/retry`,
    repeat: 'idempotent',
    params: accountParams.extend({ upload_id: uuidForm }),
    reply: uploadReply,
  },
} as const satisfies Record<string, Row>;
