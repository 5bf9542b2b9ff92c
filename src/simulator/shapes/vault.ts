import * as z from 'zod';
import { bigId, countText, flagText, offsetText, words } from './values.ts';

const NO_QUERY = z.strictObject({});

const page = { limit: countText(1, 10).optional(), offset: offsetText.optional() };

/** At most 5 GiB (VAULT-4). */
const UPLOAD_MAXIMUM_BYTES = 5_368_709_120;

const file = {
  name: z.string().regex(/^[\w. \-()]{1,255}$/),
  size: z.int().min(1).max(UPLOAD_MAXIMUM_BYTES),
  content_type: z
    .string()
    .max(255)
    .regex(/^(?:image|video|audio)\/[a-zA-Z0-9.+-]+$/),
  duration: z.number().min(0).optional(),
};

const key = words.max(1024);

/** The vault (docs/service/vault.md). */
export const VAULT_SHAPES = {
  'vault.folders': { query: z.strictObject(page), body: null },
  'vault.media': { query: z.strictObject({ ...page, type: words.optional() }), body: null },
  'vault.thumbnail': { query: NO_QUERY, body: null },
  'vault.uploads': {
    query: z.strictObject({
      limit: countText(1, 100).optional(),
      offset: offsetText.optional(),
      expired: flagText.optional(),
    }),
    body: null,
  },
  'vault.verify-fan': {
    query: NO_QUERY,
    body: z.strictObject({ fan_link: z.url({ protocol: /^https?$/ }).max(2048) }),
  },
  'vault.upload-start': { query: NO_QUERY, body: z.strictObject(file) },
  'vault.upload-finish': {
    query: NO_QUERY,
    body: z.strictObject({
      key,
      upload_id: words.max(256),
      parts: z.array(z.strictObject({ part: z.int(), e_tag: words })).min(1),
    }),
  },
  'vault.upload-export': {
    query: NO_QUERY,
    body: z.strictObject({
      ...file,
      key,
      e_tag: words.max(256),
      get_url: z.url().max(2048),
      export_type: z.enum(['post', 'message']),
      export_fan_id: words.optional(),
      rf_guest: z.array(bigId).optional(),
      rf_partner: z.array(bigId).optional(),
      rf_tag: z.array(bigId).optional(),
    }),
  },
  'vault.upload-retry': { query: NO_QUERY, body: null },
} as const;
