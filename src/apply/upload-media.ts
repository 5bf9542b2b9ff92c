import { filesOf } from '../domain/media.ts';
import type { MediaFile } from '../domain/message.ts';
import type { Declared, ResolvedAccount } from '../domain/resource.ts';

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

/** Puts the files of changes on their way, earlier ones first; each is asked for again by the changes that show it. */
export async function beginUploads(
  all: readonly Declared[],
  account: ResolvedAccount,
  upload: UploadMedia,
): Promise<void> {
  const files = all.flatMap(({ content }) => filesOf(content));
  await Promise.allSettled(files.map((file) => upload(account, file)));
}

/** Waits for what one change shows, as far as the first file that is not to be had. */
export async function awaitUploads(
  { content }: Declared,
  account: ResolvedAccount,
  upload: UploadMedia,
): Promise<void> {
  for (const file of filesOf(content)) {
    const { kind } = await upload(account, file);
    if (kind !== 'uploaded') return;
  }
}

/** Each file goes to an account once in a run, however many changes show it and however it ends. */
export function once(upload: UploadMedia): UploadMedia {
  const begun = new Map<string, Promise<Uploaded>>();
  return (account, file) => {
    const key = `${account.accountId}/${file.digest}`;
    const known = begun.get(key) ?? upload(account, file);
    begun.set(key, known);
    return known;
  };
}
