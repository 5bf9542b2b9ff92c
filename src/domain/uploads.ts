import type { MediaId } from './ids.ts';
import type { MediaFile } from './message.ts';
import type { ResolvedAccount } from './resource.ts';

/** The result of an upload into an account's vault. */
export type Uploaded =
  /** `earlier`: uploaded before this run. */
  | { readonly kind: 'uploaded'; readonly mediaId: MediaId; readonly earlier: boolean }
  /** `denied`: the key was refused, so other uploads would fail, too. */
  | { readonly kind: 'failed'; readonly message: string; readonly denied: boolean }
  /** `stopped`: by an interrupt. `unknown`: it may have succeeded. */
  | { readonly kind: 'stopped' | 'unknown'; readonly message: string };

/** Uploads a file to an account's vault, unless it is there. Never rejects because of the service or the file. */
export type UploadMedia = (account: ResolvedAccount, file: MediaFile) => Promise<Uploaded>;

/** Uploads for one round of changes, until `stop` is aborted. Its reason explains why. */
export type BeginUploads = (stop: AbortSignal) => UploadMedia;
