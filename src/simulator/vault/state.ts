import * as z from 'zod';

/** Where the object store stands while nothing serves it on a socket. */
export const STORAGE_IN_PROCESS = 'http://storage.simulator.invalid';

/** Bodies up to this are kept whole, so that a test can look at them; of others only digest and size stay. */
export const KEPT_BODY_BYTES = 65_536;

const storedShape = z.strictObject({
  /** As the store answers it, quotes included where the mode has them. */
  e_tag: z.string(),
  size: z.int(),
  /** null where the mode does not hash. */
  sha256: z.string().nullable(),
  /** Base64 of a small body; null of a larger one. */
  bytes: z.string().nullable(),
});
export interface Stored extends z.infer<typeof storedShape> {}

const partShape = z.strictObject({ id: z.int(), stored: storedShape.nullable() });
export interface UploadPart extends z.infer<typeof partShape> {}

/** What start agreed on: one key of the object store, in one piece or in parts. */
const uploadShape = z.strictObject({
  /** Of the record that the first export makes of it, and of its place in the list until then. */
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

/** What an export does not get by itself: the end of a bad file, or a place where it waits for a retry. */
export const FATES = ['failed', 'unprocessable', 'stuck_uploaded', 'stuck_processed', 'late_media'] as const;

/** One export. Assumed: an export that is repeated makes a second record, and so a second media (VAULT-11). */
const uploadRecordShape = z.strictObject({
  id: z.string(),
  status: z.enum(UPLOAD_STATUSES),
  media_id: z.string().nullable(),
  /** What the body of the export said, and what start did. */
  metadata: z.record(z.string(), z.unknown()),
  key: z.string(),
  createdMs: z.number(),
  updatedMs: z.number(),
  listedFromMs: z.number(),
  /** When it moves on by itself; null where it does not. */
  nextMs: z.number().nullable(),
  fate: z.enum(FATES).nullable(),
});
export interface UploadRecord extends z.infer<typeof uploadRecordShape> {}

const folderShape = z.strictObject({ id: z.string(), type: z.string(), name: z.string() });
export interface VaultFolder extends z.infer<typeof folderShape> {}

const mediaShape = z.strictObject({
  id: z.string(),
  folder_id: z.string(),
  type: z.string(),
  createdMs: z.number(),
  /** The upload record that it came from; null for one that was there before. */
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

/** Assumed: the folders that every account has; ids are integers and may exceed 2^53 (VAULT-1). */
export const POSTS_FOLDER: VaultFolder = { id: '9007199254740993', type: 'posts', name: 'Posts' };
export const MESSAGES_FOLDER: VaultFolder = { id: '9007199254740995', type: 'messages', name: 'Messages' };

export function newVault(): Vault {
  return { folders: [{ ...POSTS_FOLDER }, { ...MESSAGES_FOLDER }], medias: [], uploads: {}, records: [] };
}

/** One request that reached the object store. Its address is a secret and is not kept. */
const putRecordShape = z.strictObject({
  put: z.int(),
  at: z.string(),
  method: z.string(),
  account_id: z.string().nullable(),
  key: z.string(),
  part: z.int().nullable(),
  /** The length that it promised; null where it promised none. */
  length: z.int().nullable(),
  /** Bytes of the body that were taken. */
  received: z.int(),
  /** null while it is open, and for ever when no answer left. */
  status: z.int().nullable(),
  fault: z.string().nullable(),
  /** The service's key must never come here. */
  auth_header_seen: z.boolean(),
});
export interface PutRecord extends z.infer<typeof putRecordShape> {}

/** What the object store knows beside the objects, which stand with their uploads. */
export const storageShape = z.strictObject({
  /** Where presigned addresses point; whoever serves the store sets it. */
  baseUrl: z.string(),
  nextPut: z.int(),
  puts: z.array(putRecordShape),
});
export interface Storage extends z.infer<typeof storageShape> {}

export function newStorage(): Storage {
  return { baseUrl: STORAGE_IN_PROCESS, nextPut: 1, puts: [] };
}
