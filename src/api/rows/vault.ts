import * as z from 'zod';
import { idShape } from '../../domain/ids.ts';
import { accountParams, digitsParam, flagParam, integerParam, offsetParam } from '../params.ts';
import { NO_PAGING, NO_QUERY, type Row } from '../row.ts';
import { uploadReply, uploadStartReply, vaultFolderReply, vaultMediaReply } from '../shapes.ts';
import { UPLOAD_FILE } from '../upload-file.ts';

const vaultPath = '/api/v0/accounts/{account_id}/vault';
const uploadsPath = `${vaultPath}/medias/uploads`;

const page10 = { limit: integerParam(1, 10).optional(), offset: offsetParam };
const VAULT_PAGING = {
  style: 'offset',
  items: 'items',
  identity: 'id',
  pageLimit: { least: 1, most: 10 },
  mayCap: true,
} as const;

/** The document says uuid form, and no version. */
const uuidForm = z
  .string()
  .regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'an upload id has the form of a UUID');

const uploadKey = z.string().min(1).max(1024);
const eTag = z.string().min(1).max(256);

const vaultRow = { permission: 'media_uploader.manage', params: accountParams, success: 200 } as const;
const uploadCall = { ...vaultRow, perSecond: 3, method: 'POST', paging: NO_PAGING, query: NO_QUERY } as const;

/** The vault; three or five requests a second for each (LIMIT-2). */
export const VAULT_ROWS = {
  'vault.folders': {
    ...vaultRow,
    title: 'List vault folders',
    method: 'GET',
    path: `${vaultPath}/folders`,
    perSecond: 5,
    paging: VAULT_PAGING,
    repeat: 'read',
    query: z.strictObject(page10),
    body: null,
    reply: z.looseObject({ items: z.array(vaultFolderReply) }),
  },
  'vault.media': {
    ...vaultRow,
    title: 'List the medias of a vault folder',
    method: 'GET',
    path: `${vaultPath}/folders/{folder_id}/medias`,
    perSecond: 5,
    paging: VAULT_PAGING,
    repeat: 'read',
    params: accountParams.extend({ folder_id: digitsParam }),
    query: z.strictObject({ ...page10, type: z.string().min(1).optional() }),
    body: null,
    reply: z.looseObject({ items: z.array(vaultMediaReply) }),
  },
  'vault.thumbnail': {
    ...vaultRow,
    title: "Stream a media's thumbnail",
    method: 'GET',
    path: `${vaultPath}/media/{media_id}/thumbnail`,
    perSecond: 3,
    paging: NO_PAGING,
    repeat: 'read',
    params: accountParams.extend({
      media_id: z.string().regex(/^[1-9]\d*$/, 'a whole number of at least 1'),
    }),
    query: NO_QUERY,
    body: null,
    reply: 'binary',
  },
  'vault.uploads': {
    ...vaultRow,
    title: 'List vault uploads',
    method: 'GET',
    path: uploadsPath,
    perSecond: 3,
    paging: { style: 'offset_total', items: 'items', identity: 'id', pageLimit: { least: 1, most: 100 } },
    repeat: 'read',
    query: z.strictObject({
      limit: integerParam(1, 100).optional(),
      offset: offsetParam,
      expired: flagParam.optional(),
    }),
    body: null,
    reply: z.looseObject({ items: z.array(uploadReply), total: z.int().nullish() }),
  },
  'vault.verify-fan': {
    ...uploadCall,
    title: "Resolve a fan's link to an id",
    path: `${uploadsPath}/fans/verify`,
    repeat: 'idempotent',
    body: z.strictObject({ fan_link: z.url({ protocol: /^https?$/ }).max(2048) }),
    reply: z.looseObject({ fan_id: z.string().min(1) }),
  },
  'vault.upload-start': {
    ...uploadCall,
    title: 'Start an upload: presigned addresses for the bytes',
    path: `${uploadsPath}/start`,
    repeat: 'once',
    body: z.strictObject(UPLOAD_FILE),
    reply: uploadStartReply,
  },
  'vault.upload-finish': {
    ...uploadCall,
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
    ...uploadCall,
    title: 'Export uploaded bytes into the vault',
    path: `${uploadsPath}/export`,
    repeat: 'once',
    body: z.strictObject({
      ...UPLOAD_FILE,
      key: uploadKey,
      e_tag: eTag,
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
    ...uploadCall,
    title: 'Queue a stuck upload again',
    path: `${uploadsPath}/{upload_id}/retry`,
    repeat: 'idempotent',
    params: accountParams.extend({ upload_id: uuidForm }),
    body: null,
    reply: uploadReply,
  },
} as const satisfies Record<string, Row>;
