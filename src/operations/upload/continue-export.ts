import type { Act } from '../../ledger/acts.ts';
import { ageFromLedger } from '../age.ts';
import { ensureAgesKnown } from '../../live/hear-clock.ts';
import { pollUntilResolved } from '../../requests/settle-window.ts';
import { dayOf, type PastExport } from './past-exports.ts';
import { conclusionOf } from './records.ts';
import { endOf, kindOfRecord, recordsOfKey } from '../../live/uploads.ts';
import { resolveExport, warnOfSecondCopy, type Exported } from './resolve-export.ts';
import {
  againCommand,
  ended,
  type Ended,
  type Reached,
  type UploadJob,
  type UploadPorts,
  type UploadRecord,
  windowOf,
} from './upload.ts';
import { formatCommand } from '../../domain/command-line.ts';
import type { MediaId, UploadId } from '../../domain/ids.ts';

/**
 * The meaning of earlier exports of the same bytes for this one; null if there is none and it is sent again. One that
 * has no meaning any more is skipped for the next one.
 *
 * | on record             | in the vault                      | then                                     |
 * |-----------------------|-----------------------------------|------------------------------------------|
 * | exported, with media  | there, as far as can be told      | already uploaded                         |
 * | exported, with media  | taken out                         | a person decides: uploaded with --again  |
 * | unprocessable         | not asked                         | refused: the same bytes fail again       |
 *
 * | on record             | the list by its key               | then                                     |
 * |-----------------------|-----------------------------------|------------------------------------------|
 * | accepted              | exported                          | already uploaded, and on record from now |
 * | accepted              | under way                         | followed to its end                      |
 * | accepted              | failed                            | the next one, and on record from now     |
 * | accepted              | unprocessable                     | refused, and on record from now          |
 * | accepted              | not there                         | unknown: a person must look              |
 * | answer lost           | looked for until it is settled, then as above; certainly absent: the next one |
 */
export async function continueExport(
  ports: UploadPorts,
  job: UploadJob,
  same: readonly PastExport[],
): Promise<Reached<Exported> | null> {
  let gone: Ended | null = null;
  for (const past of same) {
    const { act } = past;
    if (act.liveId === null) {
      const step = await continueOne(ports, job, past);
      if (step !== null) return step;
    } else if (await ports.vaults.isTakenOut(ports, job, past)) gone ??= takenOut(job, act, act.liveId);
    else return already(act, act.liveId);
  }
  return gone;
}

/** One with a media id that is not known yet. */
async function continueOne(
  ports: UploadPorts,
  job: UploadJob,
  past: PastExport,
): Promise<Reached<Exported> | null> {
  const { act } = past;
  if (act.unprocessable !== undefined) return unusable(act, act.unprocessable);
  const found =
    act.outcome === 'unknown' ? await resolveLost(ports, job, past) : await acceptedOne(ports, job, past);
  if (found === null || found.kind !== 'done') return found;
  const { record } = found.value;
  const end = endOf(record);
  if (end === 'failed' || end === 'unprocessable') {
    const known = conclusionOf(record);
    if (known !== null) await ports.ledger.conclude(act.entry, known);
    return end === 'failed' ? null : unusable(act, record.id);
  }
  return { kind: 'done', value: { ...found.value, earlier: true } };
}

function already(act: Act, mediaId: MediaId): Ended {
  return ended('already', `The same bytes were uploaded on ${dayOf(act)}. --again uploads them once more.`, {
    mediaId,
    status: 'exported',
  });
}

function takenOut(job: UploadJob, act: Act, mediaId: MediaId): Ended {
  const { alias, accountId } = job.account;
  return ended(
    'not_attempted',
    `These bytes were uploaded on ${dayOf(act)} as media ${mediaId} of ${alias} (account ${accountId}). The service no longer has its thumbnail (404), so someone may have deleted it. Check the vault; the API shows no more. Nothing was uploaded now. To upload it again: ${againCommand(job)}`,
  );
}

function unusable(act: Act, uploadId: UploadId): Ended {
  return ended(
    'unprocessable',
    `The service could not use the same bytes on ${dayOf(act)}, so nothing was uploaded. To try again: add --again.`,
    { uploadId, status: 'unprocessable' },
  );
}

async function resolveLost(
  ports: UploadPorts,
  job: UploadJob,
  { act, details }: PastExport,
): Promise<Reached<Exported> | null> {
  job.onWarning(
    `An earlier export of ${details.name} (${dayOf(act)}) is unconfirmed. Nothing is uploaded before its result is known.`,
  );
  job.onPhase('looking for an earlier export');
  const ageMs = await ageOfAct(ports, act);
  return resolveExport(ports, job, { entry: act.entry, ageMs, details });
}

/** A list may lag behind an answer, so one that was accepted a moment ago is looked for like a lost one. */
async function acceptedOne(
  ports: UploadPorts,
  job: UploadJob,
  { act, details }: PastExport,
): Promise<Reached<Exported>> {
  const ageMs = await ageOfAct(ports, act);
  const records = await pollUntilResolved(windowOf(ports), ageMs, async () => {
    const found = await recordsOfKey(ports.client, job.account.accountId, details.key);
    return found.length === 0 ? null : found;
  });
  const record = likeliest(records ?? []);
  if (record !== null) {
    warnOfSecondCopy(job, record, records ?? []);
    return { kind: 'done', value: { entry: act.entry, record, key: details.key } };
  }
  return ended(
    'unknown',
    `An export of the same bytes was accepted on ${dayOf(act)}, but the list of uploads does not show it. Check ${formatCommand('vault', 'uploads', '--expired')}, and the vault. To upload it again: ${againCommand(job)}`,
  );
}

async function ageOfAct({ client, ledger }: UploadPorts, act: Act): Promise<number> {
  await ensureAgesKnown(client);
  return ageFromLedger({ ledger }, act, act.entry);
}

/** The record that certainly is an export before one that may be no more than a start. */
function likeliest(records: readonly UploadRecord[]): UploadRecord | null {
  return records.find((record) => kindOfRecord(record) === 'export') ?? records[0] ?? null;
}
