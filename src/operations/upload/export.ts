import { describeProblem } from '../../api/errors.ts';
import type { Conclusion } from '../../ledger/ledger.ts';
import { recordedAct } from '../recorded-act.ts';
import type { Destination } from './destination.ts';
import { isAccess } from './finish.ts';
import { kindOfRecord, lookUntilSettled, mayBeMedia, recordsOfKey, type Left } from './records.ts';
import {
  againCommand,
  ended,
  type Step,
  type UploadJob,
  type UploadPorts,
  type UploadRecord,
} from './upload.ts';
import { endOf } from './watch.ts';
import { purposeOf, type Purpose } from './wishes.ts';

/** An export that the service has accepted, and its entry in the ledger. */
export interface Exported {
  readonly entry: string;
  readonly record: UploadRecord;
  /** An earlier run exported the same bytes; nothing was uploaded now. */
  readonly earlier?: true;
  readonly key: string;
  /** An export of this key was lost before and sent once more: one that lands late makes a second media. */
  readonly repeated?: true;
}

/** What the ledger keeps of an export: enough to find its record again, and nothing secret. */
export interface ExportDetails {
  readonly key: string;
  readonly name: string;
  readonly size: number;
  /** Missing where nobody wrote it down. */
  readonly purpose?: Purpose | undefined;
}

/** A lost export that is certainly absent is repeated once (rulebook M17). */
const EXPORT_ATTEMPTS = 2;

/**
 * Exports the object into the vault, once. The act is on the disk before the request leaves, so that a later run
 * finds what this one could not tell. A lost answer is looked for by the key: found is adopted, and only absence
 * that is proved allows the one repeat.
 */
export async function exportUpload(
  ports: UploadPorts,
  job: UploadJob,
  destination: Destination,
  { eTag, fingerprint }: { readonly eTag: string; readonly fingerprint: string },
): Promise<Step<Exported>> {
  const { account, file } = job;
  const { key } = destination;
  const details: ExportDetails = {
    key,
    name: file.name,
    size: file.size,
    purpose: purposeOf(job.wishes),
  };
  const act = {
    operation: 'vault.upload-export',
    account: account.alias,
    account_id: account.accountId,
    subject: fingerprint,
    details: { ...details },
  } as const;
  const input = { params: { account_id: account.accountId }, body: bodyOf(job, destination, eTag) };
  for (let attempt = 1; ; attempt += 1) {
    const afterMs = ports.clock.monotonicMs();
    const { entry, exchange } = await recordedAct(ports, act, input, (reply) => remembered(reply, key));
    if (exchange.kind === 'done' && isOfKey(exchange.reply, key)) {
      const exported = { entry, record: exchange.reply, key };
      return { kind: 'done', value: attempt === 1 ? exported : { ...exported, repeated: true } };
    }
    if (exchange.kind !== 'unknown' && exchange.kind !== 'done') {
      // The one before may have landed after all, late, and be what it was refused for: a list may not show it yet.
      const left =
        exchange.kind === 'refused' ? { atMs: exchange.sentAtMs, afterMs } : { atMs: 0, afterMs: null };
      const settled = attempt > 1 ? await settleExport(ports, job, { entry, left, details }) : null;
      return (
        settled ?? ended('failed', notExported(exchange.problem), { denied: isAccess(exchange.problem) })
      );
    }
    job.onPhase('looking for a lost export');
    const left = { atMs: exchange.sentAtMs, afterMs };
    const settled = await settleExport(ports, job, { entry, left, details });
    if (settled !== null) return settled;
    const why = exchange.kind === 'done' ? OTHER_KEY : describeProblem(exchange.problem);
    if (attempt >= EXPORT_ATTEMPTS) return ended('failed', `It was not exported: ${why}.`);
    ports.interrupted.throwIfAborted();
  }
}

const OTHER_KEY = 'the answer was about another upload';

/** Assumed: an answer names the key that it is about, or none. One about another key says nothing about ours. */
function isOfKey({ metadata }: UploadRecord, key: string): boolean {
  return metadata?.key == null || metadata.key === key;
}

/** What the ledger keeps of an answer. */
function remembered(reply: UploadRecord, key: string): Partial<Conclusion> {
  return isOfKey(reply, key) ? { message: `upload ${reply.id}` } : { outcome: 'unknown', message: OTHER_KEY };
}

interface LostExport {
  readonly entry: string;
  readonly left: Left;
  readonly details: ExportDetails;
}

/** Looks for an export whose answer was lost; null when it certainly never was, which the ledger then says. */
export async function settleExport(
  ports: UploadPorts,
  job: UploadJob,
  { entry, left, details }: LostExport,
): Promise<Step<Exported> | null> {
  const doubts: string[] = [];
  const lost = (why: string) =>
    ended(
      'unknown',
      `The answer to the export was lost, and whether it was carried out is not known: ${why}. Run the same command again: it looks for ${details.name} by its key and uploads nothing before it knows. Or see: herald vault uploads --expired`,
    );
  try {
    const found = await lookUntilSettled(ports, left, async () => {
      const records = await recordsOfKey(ports.client, job.account.accountId, details.key);
      const perhaps = records.filter((record) => kindOfRecord(record) === 'perhaps').map(({ id }) => id);
      doubts.splice(0, doubts.length, ...perhaps);
      return adopt(
        ports,
        job,
        { entry, key: details.key },
        records.filter((record) => kindOfRecord(record) === 'export'),
      );
    });
    if (found !== null) return found;
  } catch (error) {
    return lost(ports.interrupted.aborted ? 'interrupted' : (error as Error).message);
  }
  if (doubts.length > 0)
    return lost(
      `upload ${doubts.join(', ')} may be it, and the list does not say what it was exported for. If it still reads "uploaded" after an hour, it was most likely never exported: ${againCommand(job)} uploads the same bytes once more`,
    );
  await ports.ledger.conclude(entry, conclusion('absent', 'not in the list of uploads after the window'));
  return null;
}

async function adopt(
  { ledger }: Pick<UploadPorts, 'ledger'>,
  { onWarning }: Pick<UploadJob, 'onWarning'>,
  { entry, key }: Pick<Exported, 'entry' | 'key'>,
  [record, ...others]: readonly UploadRecord[],
): Promise<Step<Exported> | null> {
  if (record === undefined) return null;
  const living = others.filter(mayBeMedia);
  if (living.length > 0) onWarning(secondCopy(record, living));
  await ledger.conclude(entry, conclusion('adopted', `upload ${record.id}`));
  return { kind: 'done', value: { entry, record, key } };
}

/** What people hear of exports of one key that were carried out twice (rulebook M17, F3x). */
export function secondCopy({ id }: UploadRecord, others: readonly UploadRecord[]): string {
  return `The vault has ${others.length + 1} uploads of one key: ${id} is followed, and ${others.map((other) => other.id).join(', ')} may be a second copy of the media.`;
}

/** An end for the ledger. */
function conclusion(
  outcome: 'done' | 'adopted' | 'absent' | 'refused',
  message: string,
  liveId: string | null = null,
) {
  return { outcome, live_id: liveId, created_by: null, list_ids: null, message, sent_at_ms: null };
}

/**
 * The end of an upload, for the ledger; null while it has none. One that failed stands for nothing any more; one that
 * the service could not use stands for its bytes: they would fail again.
 */
export function conclusionOf(record: UploadRecord): Conclusion | null {
  const { id, media_id: mediaId } = record;
  switch (endOf(record)) {
    case 'exported':
      return conclusion('done', `media ${mediaId ?? ''}`, mediaId ?? null);
    case 'failed':
      return conclusion('refused', `upload ${id} failed`);
    case 'unprocessable':
      return { ...conclusion('done', `upload ${id} is unprocessable`), unprocessable: id };
    case null:
      return null;
  }
}

function bodyOf({ file, wishes }: UploadJob, { key, getUrl }: Destination, eTag: string) {
  const { type, fanId, guests, partners, tags, duration } = wishes;
  return {
    name: file.name,
    size: file.size,
    content_type: file.contentType,
    ...(duration === undefined ? {} : { duration }),
    key,
    e_tag: eTag,
    get_url: getUrl,
    export_type: type,
    ...(fanId === null ? {} : { export_fan_id: fanId }),
    ...(guests.length === 0 ? {} : { rf_guest: [...guests] }),
    ...(partners.length === 0 ? {} : { rf_partner: [...partners] }),
    ...(tags.length === 0 ? {} : { rf_tag: [...tags] }),
  };
}

function notExported(problem: Parameters<typeof describeProblem>[0]): string {
  return `It was not exported: ${describeProblem(problem)}. ${problem.hint ?? ''}`.trim();
}
