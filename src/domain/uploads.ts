import type { MediaFile } from './message.ts';
import type { ResolvedAccount } from './resource.ts';

/** What became of a file that was to be in an account's vault. */
export type Uploaded =
  /** `earlier`: it was there before this run. */
  | { readonly kind: 'uploaded'; readonly mediaId: string; readonly earlier: boolean }
  /** `denied`: the key was refused, so that nothing else would go better. */
  | { readonly kind: 'failed'; readonly message: string; readonly denied: boolean }
  /** `stopped` by an interrupt; `unknown` where it may be there all the same. */
  | { readonly kind: 'stopped' | 'unknown'; readonly message: string };

/** Brings a file into an account's vault, unless it is there. Never rejects for what the service or the file does. */
export type UploadMedia = (account: ResolvedAccount, file: MediaFile) => Promise<Uploaded>;

/** Uploads for one round of changes, until nothing new is begun in it any more; the signal's reason says why. */
export type BeginUploads = (stop: AbortSignal) => UploadMedia;
