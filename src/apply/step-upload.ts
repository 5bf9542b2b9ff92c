import type { UploadStep } from '../domain/change.ts';
import { fileArgument, formatCommand } from '../domain/command-line.ts';
import type { MediaId } from '../domain/ids.ts';
import { filesOf, withMediaIds } from '../domain/media.ts';
import type { MediaFile } from '../domain/message.ts';
import type { Declared, ResolvedAccount } from '../domain/resource.ts';
import { OK, type StepResult } from './call-result.ts';
import type { StepContext } from './step-context.ts';
import type { Uploaded } from '../domain/uploads.ts';

type Unready = Extract<StepResult, { readonly kind: 'failed' | 'stopped' | 'unknown' }>;

/** Uploads one file of the declared content, before anything else of the change; with other wishes, once for each. */
export async function uploadStep(context: StepContext, { file: path }: UploadStep): Promise<StepResult> {
  const { account, declared, upload } = context;
  const files = declared === null ? [] : filesOf(declared.content).filter((one) => one.path === path);
  if (files.length === 0) throw new Error(`the step uploads ${path}, which is not declared`);
  for (const file of files) {
    const uploaded = await upload(account, file);
    if (uploaded.kind !== 'uploaded') return unready(file, uploaded);
  }
  return OK;
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

/** A file with media in the vault since before this run. */
export interface EarlierMedia {
  readonly path: string;
  readonly mediaId: MediaId;
}

/** What is declared with the media ids of its files, or why one of them is not in the vault. */
export async function withMedia<Of extends Declared>(
  { account, upload }: Pick<StepContext, 'account' | 'upload'>,
  declared: Of,
): Promise<
  { readonly declared: Of; readonly earlier: readonly EarlierMedia[] } | { readonly result: Unready }
> {
  const ids = new Map<string, string>();
  const earlier: EarlierMedia[] = [];
  for (const file of filesOf(declared.content)) {
    const uploaded = await upload(account, file);
    if (uploaded.kind !== 'uploaded') return { result: unready(file, uploaded) };
    ids.set(file.digest, uploaded.mediaId);
    if (uploaded.earlier) earlier.push({ path: file.path, mediaId: uploaded.mediaId });
  }
  const content = withMediaIds(declared.content, ({ digest }) => ids.get(digest) ?? null);
  return { declared: { ...declared, content }, earlier };
}

/**
 * A hint for a refused create that shows media of an earlier run; empty if it shows none. The service's documents do not
 * say what it does with deleted media, so that may be the reason.
 */
export function earlierMediaWords(
  earlier: readonly EarlierMedia[],
  { alias, accountId }: ResolvedAccount,
): string {
  const [first] = earlier;
  if (first === undefined) return '';
  const all = earlier.map(({ path, mediaId }) => `${path} (media ${mediaId})`).join(', ');
  return `It shows media that an earlier run uploaded to the vault of ${alias} (account ${accountId}): ${all}. If someone has deleted it there, upload it again, then apply: ${formatCommand('vault', 'upload', fileArgument(first.path), '--account', alias, '--again')}`;
}

function unready({ path }: MediaFile, uploaded: Exclude<Uploaded, { kind: 'uploaded' }>): Unready {
  if (uploaded.kind === 'stopped') return { kind: 'stopped', message: uploaded.message };
  const message = `${path} is not in the vault, so this change was not started: ${uploaded.message}`;
  return uploaded.kind === 'failed'
    ? { kind: 'failed', message, denied: uploaded.denied }
    : { kind: 'unknown', message };
}
