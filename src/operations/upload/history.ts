import * as z from 'zod';
import { actsOf, type Act } from '../../ledger/acts.ts';
import { instantText } from '../../ledger/instant-text.ts';
import type { LedgerLine } from '../../ledger/lines.ts';
import { conclusionOf, secondCopy, settleExport, type ExportDetails } from './export.ts';
import { hearClock } from '../hear-clock.ts';
import { kindOfRecord, lookUntilSettled, mayBeMedia, recordsOfKey, type Left } from './records.ts';
import {
  againCommand,
  ended,
  type Step,
  type UploadJob,
  type UploadPorts,
  type UploadRecord,
} from './upload.ts';
import type { Exported } from './export.ts';
import { endOf } from './watch.ts';
import { differenceOf, purposeOf, purposeShape } from './wishes.ts';

/** An export on record that may have brought its bytes into the vault. */
export interface PastExport {
  readonly act: Act;
  readonly details: ExportDetails;
}

const detailsShape = z.looseObject({
  key: z.string(),
  name: z.string(),
  size: z.number(),
  purpose: purposeShape.optional(),
});

/**
 * The account's exports that were accepted or never settled, the latest first. One whose purpose cannot be read stands
 * for nothing: it may be aimed at a fan.
 */
export function pastExports(lines: readonly LedgerLine[], accountId: string): readonly PastExport[] {
  return actsOf(lines)
    .filter((act) => act.operation === 'vault.upload-export' && act.accountId === accountId)
    .filter(({ outcome }) => outcome === 'done' || outcome === 'adopted' || outcome === 'unknown')
    .flatMap((act) => {
      const details = detailsShape.safeParse(act.details);
      return details.success ? [{ act, details: details.data }] : [];
    })
    .toReversed();
}

/** Earlier exports of the same bytes, as they bear on this one. */
export interface PastOfBytes {
  /** That stand for this one, those whose media is known first. */
  readonly same: readonly PastExport[];
  /** The latest one that was for something else, where none stands for this one; how it differs, in words. */
  readonly other: { readonly past: PastExport; readonly difference: string } | null;
}

/**
 * Sorts out what the ledger knows of these bytes. What was aimed at one fan stands for that fan only; beyond that
 * only `samePurpose` asks what its media was exported for.
 */
export function pastOfBytes(
  past: readonly PastExport[],
  {
    fingerprint,
    wishes,
    samePurpose,
  }: Pick<UploadJob, 'wishes'> & { readonly fingerprint: string; readonly samePurpose: boolean },
): PastOfBytes {
  const wanted = purposeOf(wishes);
  const same: PastExport[] = [];
  let other: PastOfBytes['other'] = null;
  for (const one of past.filter(({ act }) => act.subject === fingerprint)) {
    const purpose = one.details.purpose ?? wanted;
    const difference = differenceOf(purpose, wanted);
    if (difference === null || (!samePurpose && purpose.fan_id === wanted.fan_id)) same.push(one);
    else if (samePurpose) other ??= { past: one, difference };
  }
  const isKnown = ({ act }: PastExport) => act.liveId !== null;
  return {
    same: [...same.filter(isKnown), ...same.filter((one) => !isKnown(one))],
    other: same.length > 0 ? null : other,
  };
}

/**
 * What earlier exports of the same bytes mean for this one; null when they mean nothing and it is sent anew. One that
 * certainly stands for nothing any more leaves the word to the next one.
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
): Promise<Step<Exported> | null> {
  let gone: Step<Exported> | null = null;
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

/** One whose media nobody knows yet. */
async function continueOne(
  ports: UploadPorts,
  job: UploadJob,
  past: PastExport,
): Promise<Step<Exported> | null> {
  const { act } = past;
  if (act.unprocessable !== undefined) return unusable(act, act.unprocessable);
  const found =
    act.outcome === 'unknown' ? await settleLost(ports, job, past) : await acceptedOne(ports, job, past);
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

function already(act: Act, mediaId: string): Step<never> {
  return ended('already', `The same bytes were uploaded on ${dayOf(act)}. --again uploads them once more.`, {
    mediaId,
    status: 'exported',
  });
}

function takenOut(job: UploadJob, act: Act, mediaId: string): Step<never> {
  const { alias, accountId } = job.account;
  return ended(
    'not_attempted',
    `The vault of ${alias} (account ${accountId}) answers 404 for the thumbnail of media ${mediaId}, which these bytes became on ${dayOf(act)}: somebody seems to have deleted it. The API shows no more than that; look in the vault. Nothing was uploaded now. To upload it once more: ${againCommand(job)}`,
  );
}

function unusable(act: Act, uploadId: string): Step<never> {
  return ended(
    'unprocessable',
    `The service could not use the same bytes on ${dayOf(act)}, and would not now. --again tries all the same.`,
    { uploadId, status: 'unprocessable' },
  );
}

async function settleLost(
  ports: UploadPorts,
  job: UploadJob,
  { act, details }: PastExport,
): Promise<Step<Exported> | null> {
  job.onWarning(
    `The answer to an earlier export of ${details.name} was lost (${dayOf(act)}). Nothing is uploaded before it is clear what became of it.`,
  );
  job.onPhase('looking for an earlier export');
  const left = await leftHere(ports, act);
  return settleExport(ports, job, { entry: act.entry, left, details });
}

/** A list may lag behind an answer, so one that was accepted a moment ago is looked for like a lost one. */
async function acceptedOne(
  ports: UploadPorts,
  job: UploadJob,
  { act, details }: PastExport,
): Promise<Step<Exported>> {
  const left = await leftHere(ports, act);
  const records = await lookUntilSettled(ports, left, async () => {
    const found = await recordsOfKey(ports.client, job.account.accountId, details.key);
    return found.length === 0 ? null : found;
  });
  const record = likeliest(records ?? []);
  const others = (records ?? []).filter((other) => other !== record && mayBeMedia(other));
  if (record !== null && others.length > 0) job.onWarning(secondCopy(record, others));
  if (record !== null) return { kind: 'done', value: { entry: act.entry, record, key: details.key } };
  return ended(
    'unknown',
    `An export of the same bytes was accepted on ${dayOf(act)}, and the list of uploads does not show it. See herald vault uploads --expired and the vault itself. To upload all the same: ${againCommand(job)}`,
  );
}

/** When it left, on this machine's clock as it stands now. */
async function leftHere({ client, ledger }: UploadPorts, act: Act): Promise<Left> {
  await hearClock(client);
  return { atMs: ledger.ages.here(act, act.entry).sentAtMs, afterMs: null };
}

/** The record that certainly is an export before one that may be no more than a start. */
function likeliest(records: readonly UploadRecord[]): UploadRecord | null {
  return records.find((record) => kindOfRecord(record) === 'export') ?? records[0] ?? null;
}

/** `2026-06-01 12:00 UTC` */
export function dayOf({ sentAtMs }: Act): string {
  const [day, time] = instantText(sentAtMs).split('T');
  return time === undefined ? 'an unknown day' : `${day ?? ''} ${time.slice(0, 5)} UTC`;
}
