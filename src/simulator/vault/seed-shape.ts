import * as z from 'zod';
import { UPLOAD_STATUSES } from './state.ts';

const account = { account_id: z.string() };
const digits = z.string().regex(/^[1-9]\d*$/);

/** A folder made by a person, with some photos. */
const folderSeedShape = z.strictObject({
  id: digits.optional(),
  name: z.string().optional(),
  type: z.string().optional(),
  photos: z.int().min(0).max(100_000).optional(),
});

/** A media that existed before. Without a folder it belongs to the posts. */
const mediaSeedShape = z.strictObject({
  folder_id: digits.optional(),
  type: z.string().optional(),
  created_at: z.iso.datetime({ offset: true }).optional(),
});

/** An upload that someone else exported. It stays unchanged until it is retried. */
const uploadSeedShape = z.strictObject({
  name: z.string().optional(),
  status: z.enum(UPLOAD_STATUSES).optional(),
  key: z.string().optional(),
  created_at: z.iso.datetime({ offset: true }).optional(),
});

export const VAULT_SEEDS = [
  z.strictObject({ ...account, kind: z.literal('vault_folder'), set: folderSeedShape.default({}) }),
  z.strictObject({ ...account, kind: z.literal('vault_media'), set: mediaSeedShape.default({}) }),
  z.strictObject({ ...account, kind: z.literal('vault_upload'), set: uploadSeedShape.default({}) }),
] as const;
export type VaultSeed = z.output<(typeof VAULT_SEEDS)[number]>;
export type FolderSeed = z.output<typeof folderSeedShape>;
export type MediaSeed = z.output<typeof mediaSeedShape>;
export type UploadSeed = z.output<typeof uploadSeedShape>;
