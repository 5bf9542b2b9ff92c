import * as z from 'zod';
import { actsOf, type Act } from '../../ledger/acts.ts';
import type { LedgerLine } from '../../ledger/lines.ts';
import { settleExport, type ExportDetails } from './export.ts';
import { kindOfRecord, lookUntilSettled, recordsOfKey } from './records.ts';
import { ended, type Step, type UploadJob, type UploadPorts, type UploadRecord } from './upload.ts';
import type { Exported } from './export.ts';
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
  purpose: purposeShape.optional().catch(undefined),
});

/** The account's exports that were accepted or never settled, the latest first. */
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
 * What an earlier export of the same bytes means for this one; null when it means nothing and the next one counts.
 *
 * | on record             | the list by its key               | then                                    |
 * |-----------------------|-----------------------------------|-----------------------------------------|
 * | exported, with media  | not asked                         | already uploaded                        |
 * | accepted              | exported                          | already uploaded, and on record from now |
 * | accepted              | under way                         | followed to its end                     |
 * | accepted              | failed                            | uploaded anew                           |
 * | accepted              | unprocessable                     | refused: the same bytes fail again      |
 * | accepted              | not there                         | unknown: a person must look             |
 * | answer lost           | looked for until it is settled, then as above; certainly absent: uploaded anew |
 */
export async function continueExport(
  ports: UploadPorts,
  job: UploadJob,
  { act, details }: PastExport,
): Promise<Step<Exported> | null> {
  if (act.liveId !== null)
    return ended(
      'already',
      `The same bytes were uploaded on ${dayOf(act)}. --again uploads them once more.`,
      {
        mediaId: act.liveId,
        status: 'exported',
      },
    );
  const found =
    act.outcome === 'unknown'
      ? await settleLost(ports, job, { act, details })
      : await acceptedOne(ports, job, { act, details });
  if (found === null || found.kind !== 'done') return found;
  const { record } = found.value;
  if (record.status === 'failed') return null;
  if (record.status === 'unprocessable')
    return ended(
      'unprocessable',
      `The service could not use the same bytes on ${dayOf(act)}, and would not now. --again tries all the same.`,
      { uploadId: record.id, status: record.status },
    );
  return { kind: 'done', value: { ...found.value, earlier: true } };
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
  const left = { atMs: act.sentAtMs, afterMs: null };
  return settleExport(ports, job, { entry: act.entry, left, details });
}

/** A list may lag behind an answer, so one that was accepted a moment ago is looked for like a lost one. */
async function acceptedOne(
  ports: UploadPorts,
  { account }: UploadJob,
  { act, details }: PastExport,
): Promise<Step<Exported>> {
  const record = await lookUntilSettled(ports, { atMs: act.sentAtMs, afterMs: null }, async () =>
    likeliest(await recordsOfKey(ports.client, account.accountId, details.key)),
  );
  if (record !== null) return { kind: 'done', value: { entry: act.entry, record } };
  return ended(
    'unknown',
    `An export of the same bytes was accepted on ${dayOf(act)}, and the list of uploads does not show it. See herald vault uploads --expired and the vault itself; --again uploads all the same.`,
  );
}

/** The record that certainly is an export before one that may be no more than a start. */
function likeliest(records: readonly UploadRecord[]): UploadRecord | null {
  return records.find((record) => kindOfRecord(record) === 'export') ?? records[0] ?? null;
}

function dayOf({ sentAtMs }: Act): string {
  return `${new Date(sentAtMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
