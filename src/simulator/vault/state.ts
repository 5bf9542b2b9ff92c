import * as z from 'zod';

/** The address of the object store without a socket. */
export const STORAGE_IN_PROCESS = 'http://storage.simulator.invalid';

/** Bodies up to this size are stored, so that tests can read them. Of others only digest and size are stored. */
export const KEPT_BODY_BYTES = 65_536;

const storedShape = z.strictObject({
  /** As in the store's answer, with quotes if the mode has them. */
  e_tag: z.string(),
  size: z.int(),
  /** null if the mode does not hash. */
  sha256: z.string().nullable(),
  /** Base64 of a small body; null for a larger one. */
  bytes: z.string().nullable(),
});
export interface Stored extends z.infer<typeof storedShape> {}

const partShape = z.strictObject({ id: z.int(), stored: storedShape.nullable() });
export interface UploadPart extends z.infer<typeof partShape> {}

/** A started upload: one key of the object store, in one piece or in parts. */
const uploadShape = z.strictObject({
  /** The id of the first export's record, and of its list entry before that. */
  id: z.string(),
  key: z.string(),
  /** null for a single put, which has one part. */
  upload_id: z.string().nullable(),
  name: z.string(),
  size: z.int(),
  content_type: z.string(),
  duration: z.number().nullable(),
  get_url: z.string(),
  parts: z.array(partShape),
  /** The combined ETag, once the parts are joined. */
  joined: z.string().nullable(),
  createdMs: z.number(),
  expiresMs: z.number(),
  listedFromMs: z.number(),
});
export interface Upload extends z.infer<typeof uploadShape> {}

/** The statuses of an upload (VAULT-12). */
export const UPLOAD_STATUSES = [
  'uploaded',
  'processing',
  'processed',
  'exporting',
  'exported',
  'failed',
  'unprocessable',
] as const;
export type UploadStatus = (typeof UPLOAD_STATUSES)[number];

/** Unusual ends of an export: a bad file, or a state in which it waits for a retry. */
export const UPLOAD_ENDINGS = [
  'failed',
  'unprocessable',
  'stuck_uploaded',
  'stuck_processed',
  'late_media',
] as const;

/** One export. Assumed: a repeated export creates a second record, and so a second media (VAULT-11). */
const uploadRecordShape = z.strictObject({
  id: z.string(),
  status: z.enum(UPLOAD_STATUSES),
  media_id: z.string().nullable(),
  /** The data of the export's body and of start. */
  metadata: z.record(z.string(), z.unknown()),
  key: z.string(),
  createdMs: z.number(),
  updatedMs: z.number(),
  listedFromMs: z.number(),
  /** The time of its next step; null if none is due. */
  nextMs: z.number().nullable(),
  fate: z.enum(UPLOAD_ENDINGS).nullable(),
});
export interface UploadRecord extends z.infer<typeof uploadRecordShape> {}

const folderShape = z.strictObject({ id: z.string(), type: z.string(), name: z.string() });
export interface VaultFolder extends z.infer<typeof folderShape> {}

const mediaShape = z.strictObject({
  id: z.string(),
  folder_id: z.string(),
  type: z.string(),
  createdMs: z.number(),
  /** The upload record of this media; null if it existed before. */
  upload: z.string().nullable(),
});
export interface VaultMedia extends z.infer<typeof mediaShape> {}

/** The vault of one account. */
export const vaultShape = z.strictObject({
  folders: z.array(folderShape),
  /** Oldest first. */
  medias: z.array(mediaShape),
  /** By key. */
  uploads: z.record(z.string(), uploadShape),
  /** Oldest first. */
  records: z.array(uploadRecordShape),
});
export interface Vault extends z.infer<typeof vaultShape> {}

/** Assumed: the folders of every account. Ids are integers and may exceed 2^53 (VAULT-1). */
export const POSTS_FOLDER: VaultFolder = { id: '9007199254740993', type: 'posts', name: 'Posts' };
export const MESSAGES_FOLDER: VaultFolder = { id: '9007199254740995', type: 'messages', name: 'Messages' };

export function newVault(): Vault {
  return { folders: [{ ...POSTS_FOLDER }, { ...MESSAGES_FOLDER }], medias: [], uploads: {}, records: [] };
}

/** One request to the object store. Its address is a secret and is not stored. */
const putRecordShape = z.strictObject({
  put: z.int(),
  at: z.string(),
  method: z.string(),
  account_id: z.string().nullable(),
  key: z.string(),
  part: z.int().nullable(),
  /** The announced length; null if none was announced. */
  length: z.int().nullable(),
  /** The number of bytes received. */
  received: z.int(),
  /** null while it is not answered, and if it never is. */
  status: z.int().nullable(),
  fault: z.string().nullable(),
  /** True would be a leak of the service's key. */
  auth_header_seen: z.boolean(),
});
export interface PutRecord extends z.infer<typeof putRecordShape> {}

/** The data of the object store, except the objects, which are stored with their uploads. */
export const storageShape = z.strictObject({
  /** The start of presigned addresses. A server of the store sets it. */
  baseUrl: z.string(),
  /** The port of its last server, so that addresses outlive a restart; null if it had none. */
  port: z.int().nullable().default(null),
  nextPut: z.int(),
  puts: z.array(putRecordShape),
});
export interface Storage extends z.infer<typeof storageShape> {}

export function newStorage(): Storage {
  return { baseUrl: STORAGE_IN_PROCESS, port: null, nextPut: 1, puts: [] };
}
