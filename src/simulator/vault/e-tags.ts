import type { World } from '../world.ts';
import type { Upload } from './state.ts';

/** The ETag of the whole object; null while it is incomplete. */
export function objectTag({ upload_id, parts, joined }: Upload): string | null {
  return upload_id === null ? (parts[0]?.stored?.e_tag ?? null) : joined;
}

/** Assumed: with or without quotes (VAULT-6). */
export function isSameTag(left: string, right: string): boolean {
  return withoutQuotes(left) === withoutQuotes(right);
}

function withoutQuotes(tag: string): string {
  return tag.replace(/^"(.*)"$/, '$1');
}

/** As this store writes it. */
export function quoted({ modes }: World, tag: string): string {
  return modes.etagQuotes ? `"${tag}"` : tag;
}
