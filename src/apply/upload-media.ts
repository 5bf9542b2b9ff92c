import { filesOf } from '../domain/media.ts';
import type { Declared, ResolvedAccount } from '../domain/resource.ts';
import type { Uploaded, UploadMedia } from '../domain/uploads.ts';

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
