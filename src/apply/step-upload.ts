import type { Step } from '../domain/change.ts';
import { filesOf, withMediaIds, type MediaFile } from '../domain/media.ts';
import type { Declared, ResolvedAccount } from '../domain/resource.ts';
import { OK, type StepResult } from './call-result.ts';
import type { StepContext } from './step-context.ts';

/** What became of a file that was to be in an account's vault. */
type Uploaded =
  | { readonly kind: 'uploaded'; readonly mediaId: string }
  /** `stopped` by an interrupt; `unknown` where it may be there all the same. */
  | { readonly kind: 'failed' | 'stopped' | 'unknown'; readonly message: string };

/** Brings a file into an account's vault, unless it is there. Never rejects for what the service or the file does. */
export type UploadMedia = (account: ResolvedAccount, file: MediaFile) => Promise<Uploaded>;

type Unready = Extract<StepResult, { readonly kind: 'failed' | 'stopped' | 'unknown' }>;

/** Uploads one file of the declared content, before anything else of the change. */
export async function uploadStep(context: StepContext, { file: path }: Step): Promise<StepResult> {
  const { account, declared, upload } = context;
  const file = declared === null ? undefined : filesOf(declared.content).find((one) => one.path === path);
  if (file === undefined) throw new Error(`the step uploads ${path ?? 'nothing'}, which is not declared`);
  const uploaded = await upload(account, file);
  return uploaded.kind === 'uploaded' ? OK : unready(file, uploaded);
}

/** Uploads what a change needs ahead of it; what became of it is asked for again when the change is carried out. */
export async function uploadAhead(
  declared: Declared | null,
  account: ResolvedAccount,
  upload: UploadMedia,
): Promise<void> {
  for (const file of declared === null ? [] : filesOf(declared.content)) {
    const { kind } = await upload(account, file);
    if (kind !== 'uploaded') return;
  }
}

/**
 * Why a change that creates cannot show its files; null when it can. Asked before its first step, whatever the plan
 * said: nothing is stopped for what cannot be brought into the vault.
 */
export async function mediaProblem(context: StepContext): Promise<Unready | null> {
  const { change, declared } = context;
  if (declared === null || !change.steps.some(({ kind }) => kind === 'create')) return null;
  const media = await withMedia(context, declared);
  return 'result' in media ? media.result : null;
}

/** What is declared with the media ids of its files, or why one of them is not in the vault. */
export async function withMedia<Of extends Declared>(
  { account, upload }: Pick<StepContext, 'account' | 'upload'>,
  declared: Of,
): Promise<{ readonly declared: Of } | { readonly result: Unready }> {
  const ids = new Map<string, string>();
  for (const file of filesOf(declared.content)) {
    const uploaded = await upload(account, file);
    if (uploaded.kind !== 'uploaded') return { result: unready(file, uploaded) };
    ids.set(file.digest, uploaded.mediaId);
  }
  const content = withMediaIds(declared.content, ({ digest }) => ids.get(digest) ?? null);
  return { declared: { ...declared, content } };
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

function unready({ path }: MediaFile, uploaded: Exclude<Uploaded, { kind: 'uploaded' }>): Unready {
  if (uploaded.kind === 'stopped') return { kind: 'stopped', message: uploaded.message };
  const message = `${path} is not in the vault, so nothing else of this change was begun: ${uploaded.message}`;
  return uploaded.kind === 'failed'
    ? { kind: 'failed', message, denied: false }
    : { kind: 'unknown', message };
}
