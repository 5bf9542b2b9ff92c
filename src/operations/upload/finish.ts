import type { Reply } from '../../api/catalogue.ts';
import { describeProblem } from '../../api/errors.ts';
import type { Exchange } from '../../api/exchange.ts';
import type { BeforeSend } from '../../api/request.ts';
import type { Destination } from '../../api/upload-destination.ts';
import { pollUntilResolved } from '../../requests/settle-window.ts';
import type { FilePut } from '../../acts/upload/put.ts';
import { recordsOfKey } from '../../live/uploads.ts';
import { endedBy, isDenied } from './refusals.ts';
import { windowOf, type Step, type UploadJob, type UploadPorts, type UploadRecord } from './upload.ts';

/**
 * Joins the parts and returns the combined ETag. After a lost answer, the result is looked up by its key before the
 * one repeat (LOST-16). Joining creates no media, so an unconfirmed finish costs only another start.
 */
export async function finishUpload(
  ports: UploadPorts,
  job: UploadJob,
  destination: Destination,
  { eTags }: Extract<FilePut, { readonly kind: 'done' }>,
): Promise<Step<string>> {
  const { uploadId, key } = destination;
  if (uploadId === null) return { kind: 'done', value: eTags[0]?.e_tag ?? '' };
  const accountId = job.account.accountId;
  let leftMs = 0;
  const noteDeparture: BeforeSend = () => {
    leftMs = ports.clock.monotonicMs();
    return null;
  };
  const body = { key, upload_id: uploadId, parts: [...eTags] };
  const ask = (): Promise<Exchange<Reply<'vault.upload-finish'>>> =>
    ports.client.call('vault.upload-finish', { params: { account_id: accountId }, body }, noteDeparture);
  const joined = async () =>
    (await recordsOfKey(ports.client, accountId, key)).map(eTagOf).find(isText) ?? null;
  const first = await ask();
  if (first.kind !== 'unknown') return understand(first);
  job.onPhase('looking for a lost finish');
  const found = await pollUntilResolved(windowOf(ports), ports.clock.monotonicMs() - leftMs, joined);
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
  if (exchange.kind === 'refused' && !isDenied(problem))
    return { kind: 'restart', why: `the parts could not be joined: ${problem.what}` };
  return endedBy(problem, `${describeProblem(problem)}. Nothing was exported.`);
}

function eTagOf({ metadata }: UploadRecord): string | null {
  return metadata?.e_tag ?? null;
}

function isText(value: string | null): value is string {
  return value !== null && value !== '';
}
