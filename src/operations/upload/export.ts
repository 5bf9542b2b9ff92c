import { describeProblem } from '../../api/errors.ts';
import type { Conclusion } from '../../ledger/ledger.ts';
import { ageInThisRun } from '../age.ts';
import { recordedAct } from '../recorded-act.ts';
import type { Destination } from '../../api/upload-destination.ts';
import type { ExportDetails } from './past-exports.ts';
import { endedBy } from './refusals.ts';
import { resolveExport, type Exported } from './resolve-export.ts';
import { ended, type Reached, type UploadJob, type UploadPorts, type UploadRecord } from './upload.ts';
import { purposeOf } from './wishes.ts';

/** Nothing that left before can come any more. */
const LONG_OVER = Number.POSITIVE_INFINITY;

/** A lost export that is certainly absent is repeated once (LOST-17). */
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
): Promise<Reached<Exported>> {
  const { account, file } = job;
  const { key } = destination;
  const details: ExportDetails = {
    key,
    name: file.name,
    size: file.size,
    purpose: purposeOf(job.wishes),
    ...(job.wishes.declared === undefined ? {} : { wishes: job.wishes.declared }),
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
    const { entry, exchange } = await recordedAct(ports, act.operation, () => act, {
      input,
      remember: (reply) => remembered(reply, key),
    });
    if (exchange.kind === 'done' && isOfKey(exchange.reply, key)) {
      const exported = { entry, record: exchange.reply, key };
      return { kind: 'done', value: attempt === 1 ? exported : { ...exported, repeated: true } };
    }
    if (exchange.kind !== 'unknown' && exchange.kind !== 'done') {
      // The one before may have landed after all, late, and be what it was refused for: a list may not show it yet.
      const ageMs = exchange.kind === 'refused' ? ageInThisRun(ports, entry, exchange.sentAtMs) : LONG_OVER;
      const settled = attempt > 1 ? await resolveExport(ports, job, { entry, ageMs, details }) : null;
      if (settled !== null) return settled;
      return endedBy(exchange.problem, `It was not exported: ${describeProblem(exchange.problem)}.`);
    }
    job.onPhase('looking for a lost export');
    const ageMs = ageInThisRun(ports, entry, exchange.sentAtMs);
    const settled = await resolveExport(ports, job, { entry, ageMs, details });
    if (settled !== null) return settled;
    const why = exchange.kind === 'done' ? OTHER_KEY : describeProblem(exchange.problem);
    if (attempt >= EXPORT_ATTEMPTS) return ended('failed', `It was not exported: ${why}.`);
    ports.interrupted.throwIfAborted();
  }
}

const OTHER_KEY = 'the answer is for another upload';

/** Assumed: an answer names the key that it is about, or none (VAULT-11). One about another key says nothing about ours. */
function isOfKey({ metadata }: UploadRecord, key: string): boolean {
  return metadata?.key == null || metadata.key === key;
}

/** What the ledger keeps of an answer. */
function remembered(reply: UploadRecord, key: string): Partial<Conclusion> {
  return isOfKey(reply, key) ? { message: `upload ${reply.id}` } : { outcome: 'unknown', message: OTHER_KEY };
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
