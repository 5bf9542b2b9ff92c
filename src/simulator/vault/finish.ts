import { digest } from '../../domain/digest.ts';
import { accountOf } from '../access.ts';
import type { Call } from '../call.ts';
import { conflict, invalid, notFound } from '../refusal.ts';
import type { World } from '../world.ts';
import { isSameTag, quoted } from './e-tags.ts';
import { uploadOf } from './find-upload.ts';
import type { Upload } from './state.ts';

/**
 * Joins the parts (VAULT-9): every id of start exactly once, each with its ETag, in any order. Assumed: joined
 * parts cannot be joined again, as in other object stores.
 */
export function finishUpload(world: World, { params, body }: Call<'vault.upload-finish'>): object {
  const upload = uploadOf(accountOf(world, params.account_id), body.key);
  if (upload.upload_id === null || upload.upload_id !== body.upload_id) throw notFound('Multipart upload');
  if (upload.joined !== null) throw conflict('the parts of this upload have been joined already');
  requireParts(world, upload, body.parts);
  const names = upload.parts.map(({ stored }) => stored?.e_tag ?? '');
  upload.joined = quoted(world, `${digest(names)}-${names.length}`);
  return { e_tag: upload.joined };
}

function requireParts(
  { modes }: World,
  { parts, size }: Upload,
  named: readonly { readonly part: number; readonly e_tag: string }[],
): void {
  const refuse = (message: string) => invalid(modes, message, 'parts');
  const ids = new Set(named.map(({ part }) => part));
  if (ids.size < named.length) throw refuse('a part is named twice');
  if (ids.size !== parts.length || !parts.every(({ id }) => ids.has(id)))
    throw refuse('the parts are not those of start');
  for (const { part, e_tag } of named) {
    const stored = parts.find(({ id }) => id === part)?.stored ?? null;
    if (stored === null) throw refuse(`part ${part} has not been uploaded`);
    if (!isSameTag(stored.e_tag, e_tag)) throw refuse(`part ${part} has another e_tag`);
  }
  const total = parts.reduce((sum, { stored }) => sum + (stored?.size ?? 0), 0);
  if (total !== size) throw refuse(`the parts have ${total} bytes together, and start said ${size}`);
}
