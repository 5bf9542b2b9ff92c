import { describeProblem, type Problem } from '../../api/errors.ts';
import type { Exchange } from '../../api/exchange.ts';
import type { Reply } from '../../api/catalogue.ts';
import type { Destination } from './destination.ts';
import type { FilePut } from './put-file.ts';
import { lookUntilSettled, recordsOfKey } from './records.ts';
import { ended, type Step, type UploadJob, type UploadPorts } from './upload.ts';

/**
 * Joins the parts and gives the combined ETag. A finish whose answer was lost is looked for by its key before it is
 * repeated, once (rulebook M16): joining makes no media, so what stays open costs nothing but another start.
 */
export async function finishUpload(
  ports: UploadPorts,
  job: UploadJob,
  destination: Destination,
  { eTags }: FilePut,
): Promise<Step<string>> {
  const { uploadId, key } = destination;
  if (uploadId === null) return { kind: 'done', value: eTags[0]?.e_tag ?? '' };
  const accountId = job.account.accountId;
  const ask = (): Promise<Exchange<Reply<'vault.upload-finish'>>> =>
    ports.client.call('vault.upload-finish', {
      params: { account_id: accountId },
      body: { key, upload_id: uploadId, parts: [...eTags] },
    });
  const joined = async () =>
    (await recordsOfKey(ports.client, accountId, key)).map(eTagOf).find(isText) ?? null;
  const afterMs = ports.clock.monotonicMs();
  const first = await ask();
  if (first.kind !== 'unknown') return understand(first);
  job.onPhase('looking for a lost finish');
  const found = await lookUntilSettled(ports, { atMs: first.sentAtMs, afterMs }, joined);
  if (found !== null) return { kind: 'done', value: found };
  const second = await ask();
  if (second.kind === 'done') return understand(second);
  const late = await joined();
  if (late !== null) return { kind: 'done', value: late };
  return { kind: 'restart', why: `the parts could not be joined: ${second.problem.what}` };
}

function understand(exchange: Exchange<Reply<'vault.upload-finish'>>): Step<string> {
  if (exchange.kind === 'done') return { kind: 'done', value: exchange.reply.e_tag };
  const { problem } = exchange;
  if (exchange.kind === 'refused' && !isAccess(problem))
    return { kind: 'restart', why: `the parts could not be joined: ${problem.what}` };
  const words = `${describeProblem(problem)}. Nothing was exported. ${problem.hint ?? ''}`;
  return ended('failed', words.trim(), { denied: isAccess(problem) });
}

/** No new start helps a key that may not do this. */
export function isAccess({ status }: Problem): boolean {
  return status === 401 || status === 403;
}

function eTagOf({
  metadata,
}: {
  readonly metadata?: { readonly e_tag?: string | null | undefined } | null | undefined;
}) {
  return metadata?.e_tag ?? null;
}

function isText(value: string | null): value is string {
  return value !== null && value !== '';
}
