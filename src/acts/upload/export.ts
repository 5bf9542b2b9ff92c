import type { Reply } from '../../api/catalogue.ts';
import { describeProblem, type Problem } from '../../api/errors.ts';
import type { LocalFile } from '../../api/upload-file.ts';
import type { Destination } from './put.ts';
import { fileArgument, formatCommand } from '../../domain/command-line.ts';
import { digest } from '../../domain/digest.ts';
import type { FanId, MediaId } from '../../domain/ids.ts';
import { mediaPrint } from '../../domain/media-wishes.ts';
import type { ByteFiles, PutBytes } from '../../domain/ports.ts';
import type { ResolvedAccount } from '../../domain/resource.ts';
import { lagMs, type Run } from '../../engine/run.ts';
import {
  readEnd,
  ended,
  isDenied,
  kindOfRecord,
  recordsOfKey,
  warnOfSecondCopy,
  type Ended,
  type Exported,
  type UploadRecord,
} from './records.ts';
import type { Fact, OpenRequest, RequestRow } from '../../state/shapes.ts';
import { lookAtEarlier, sendAct, type Verdict } from '../act.ts';
import { isYoungerThan, parseAsked, sentText } from '../record.ts';

/** What an upload works with, next to its run. */
export interface UploadPorts {
  readonly run: Run;
  readonly bytes: ByteFiles;
  readonly putBytes: PutBytes;
  /** From 0 to 1, for jitter. */
  readonly random: () => number;
  /** One for a run: whether the service tells if a media is in the vault. */
  readonly vault: { isClear: boolean };
}

/** The data about the media for the vault, besides its bytes. */
export interface ExportWishes {
  readonly type: 'post' | 'message';
  /** As the verify call named it. */
  readonly fanId: FanId | null;
  readonly guests: readonly string[];
  readonly partners: readonly string[];
  readonly tags: readonly string[];
  /** In seconds. */
  readonly duration: number | undefined;
  /** Digest of what a file of the workspace wishes; undefined without wishes, and for uploads by hand. */
  readonly declared?: string | undefined;
}

/** One file on its way into the vault of one account. */
export interface UploadJob {
  readonly account: ResolvedAccount;
  readonly file: LocalFile;
  /** The fingerprint of the bytes that were agreed to; null where the file may hold what it likes. */
  readonly planned: string | null;
  readonly wishes: ExportWishes;
  /** Parts that are put at once. */
  readonly parallel: number;
  /** The progress: bytes sent, of the file's size. */
  readonly onBytes: (sent: number) => void;
  /** What it does now, in a word or two. */
  readonly onPhase: (phase: string) => void;
  readonly onWarning: (sentence: string) => void;
}

/** How earlier exports of the same bytes count. */
export interface UploadRule {
  /** Uploads bytes that are there already once more. */
  readonly isAgain: boolean;
  /** Only an export for the same purpose will do. Otherwise the wishes of the declared file decide, and the fan. */
  readonly samePurpose: boolean;
}

/** An export that the service accepted, or the end of the upload. */
export type Sent = { readonly kind: 'done'; readonly value: Exported } | Ended;
export type Step<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | Ended
  | { readonly kind: 'restart'; readonly why: string };

/** The end by a call that failed; `words` say what happened and how far it came. */
export function endBy(problem: Problem, words: string): Ended {
  return ended('failed', `${words} ${problem.hint ?? ''}`.trim(), { denied: isDenied(problem) });
}

/** What the state keeps of an export: enough to find its record again, and nothing secret. */
interface ExportAsked {
  readonly key: string;
  readonly name: string;
  readonly size: number;
  readonly purpose: Purpose;
}

/** What an export was for: the same bytes for another purpose are another export. */
interface Purpose {
  readonly type: string;
  readonly fan_id: string | null;
  readonly guests: readonly string[];
  readonly partners: readonly string[];
  readonly tags: readonly string[];
  /** Digest of the wishes of a declared file. */
  readonly declared: string | null;
}

function purposeOfWishes({ type, fanId, guests, partners, tags, declared }: ExportWishes): Purpose {
  const lists = { guests: guests.toSorted(), partners: partners.toSorted(), tags: tags.toSorted() };
  return { type, fan_id: fanId, ...lists, declared: declared ?? null };
}

/** Null for a record that cannot be read: it may be for one fan, and stands for nothing. */
function readAsked(row: RequestRow): ExportAsked | null {
  const asked = parseAsked(row) as Partial<ExportAsked>;
  const { key, name, size, purpose } = asked;
  if (typeof key !== 'string' || typeof name !== 'string' || typeof size !== 'number') return null;
  return purpose === undefined || !Array.isArray(purpose.tags) ? null : { key, name, size, purpose };
}

/** The media of these bytes: as a plan looks for it, and for this purpose alone. Media for one fan is not for a plan. */
function mediaFacts(
  accountId: string,
  fingerprint: string,
  purpose: Purpose,
  mediaId: MediaId,
): readonly Fact[] {
  const prints = [purposePrint(fingerprint, purpose)];
  if (purpose.declared !== null || purpose.fan_id === null)
    prints.push(mediaPrint(fingerprint, purpose.declared ?? undefined));
  return prints.map((print): Fact => ({
    kind: 'media',
    account_id: accountId,
    digest: print,
    media_id: mediaId,
  }));
}

function purposePrint(fingerprint: string, purpose: Purpose): string {
  return mediaPrint(fingerprint, `for-${digest(purpose)}`);
}

const EXPORT = 'vault.upload-export';

function exportSubject({ account }: UploadJob, fingerprint: string) {
  return { operation: EXPORT, account, kind: 'upload', name: fingerprint } as const;
}

/** Exports the object into the vault, once. It is on record before it leaves, so that a later run finds it by its key. */
export async function exportUpload(
  run: Run,
  job: UploadJob,
  destination: Destination,
  { eTag, fingerprint }: { readonly eTag: string; readonly fingerprint: string },
): Promise<Step<Exported>> {
  const { account, file, wishes } = job;
  const { key } = destination;
  const { name, size } = file;
  const purpose = purposeOfWishes(wishes);
  const asked: ExportAsked = { key, name, size, purpose };
  const end = await sendAct<Reply<typeof EXPORT>, never, UploadRecord | null>(
    run,
    {
      subject: exportSubject(job, fingerprint),
      // Earlier ones were looked for before the bytes were sent.
      isOpen: () => false,
      resolve: {
        kind: 'read',
        look: (request) => lookForExport(run, job, request),
        mayRepeat: true,
        refuse: null,
      },
      prepare: () => ({
        asked,
        send: run.client.prepare(EXPORT, {
          params: { account_id: account.accountId },
          body: exportBody(job, destination, eTag),
        }),
      }),
      // An answer about another key says nothing about ours. Assumed: it names the key that it is about, or none (VAULT-11).
      judge: ({ metadata }) => (metadata?.key == null || metadata.key === key ? 'done' : null),
    },
    { acknowledge: true, ask: null },
  );
  const facts = (mediaId: MediaId) => mediaFacts(account.accountId, fingerprint, purpose, mediaId);
  const exported = { key, mediaFacts: facts, isEarlier: false, isRepeated: false, unrecorded: null };
  if (end.kind === 'done')
    return {
      kind: 'done',
      value: { ...exported, record: end.reply, isRepeated: end.isRepeated, unrecorded: end.unrecorded },
    };
  if (end.kind === 'failed')
    return endBy(end.problem, `It was not exported: ${describeProblem(end.problem)}.`);
  const verdict = end.kind === 'lost' ? end.verdict : null;
  if (verdict?.kind === 'found' && verdict.found !== null)
    return { kind: 'done', value: { ...exported, record: verdict.found } };
  if (verdict?.kind === 'absent') {
    const problem = end.kind === 'lost' ? end.lost.problem : null;
    const why = problem === null ? 'the answer is for another upload' : describeProblem(problem);
    return ended('failed', `It was not exported: ${why}.`);
  }
  return describeLost(
    name,
    run.interrupted.aborted ? 'interrupted' : 'the list of uploads could not be read',
  );
}

function exportBody({ file, wishes }: UploadJob, { key, getUrl }: Destination, eTag: string) {
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

/** What the list of uploads shows, by its key, of an export without an answer. */
async function lookForExport(
  { client }: Run,
  job: Pick<UploadJob, 'account' | 'onPhase' | 'onWarning'>,
  row: OpenRequest,
): Promise<Verdict<UploadRecord | null>> {
  const asked = readAsked(row);
  if (asked === null) return { kind: 'open', found: null };
  job.onPhase('looking for a lost export');
  const records = await recordsOfKey(client, job.account.accountId, asked.key).catch((error: unknown) => {
    job.onWarning(error instanceof Error ? error.message : String(error));
    return null;
  });
  if (records === null) return { kind: 'open', found: null };
  const exports = records.filter((record) => kindOfRecord(record) === 'export');
  const [record] = exports;
  if (record === undefined) return { kind: 'absent' };
  warnOfSecondCopy(job, record, exports);
  return { kind: 'found', found: record, ending: { outcome: 'adopted', answer: { upload: record.id } } };
}

function describeLost(name: string, why: string): Ended {
  return ended(
    'unknown',
    `Unconfirmed: the export got no answer, and it may have succeeded: ${why}. Run the same command again. It looks for ${name} by its key, and uploads nothing before the result is known. To check the uploads: ${formatCommand('vault', 'uploads', '--expired')}`,
  );
}

/** How many exports of the same bytes are looked at. */
const ROWS_MAX = 50;

/**
 * What earlier exports of the same bytes mean for this one; null if it is sent. The media of a purpose is on record once it is
 * known; before that, the list of uploads shows it by its key.
 *
 * | on record                       | the service shows    | then                                       |
 * |---------------------------------|----------------------|--------------------------------------------|
 * | a media                         | it, or does not tell | already uploaded                           |
 * | a media                         | no thumbnail of it   | a person decides: uploaded with --again    |
 * | an export that was accepted     | exported, under way  | followed to its end                        |
 * | an export that was accepted     | failed               | the next one                               |
 * | an export that was accepted     | unprocessable        | refused: the same bytes fail again         |
 * | an export that was accepted     | nothing              | unknown: a person must look                |
 * | an export without an answer     | after its window, as above; not there: the next one               |
 * | only exports for other purposes |                      | refused with `samePurpose`, else uploaded  |
 */
export async function continueEarlier(
  ports: UploadPorts,
  job: UploadJob,
  { samePurpose }: UploadRule,
  fingerprint: string,
): Promise<Sent | null> {
  const { run } = ports;
  const { accountId } = job.account;
  const wanted = purposeOfWishes(job.wishes);
  const counts = (row: RequestRow) => {
    const purpose = readAsked(row)?.purpose;
    if (purpose === undefined) return false;
    return samePurpose
      ? describeDifference(purpose, wanted) === null
      : purpose.declared === wanted.declared && purpose.fan_id === wanted.fan_id;
  };
  const { open } = await lookAtEarlier(run, {
    subject: exportSubject(job, fingerprint),
    isOpen: counts,
    resolve: {
      kind: 'read',
      look: (row) => lookForExport(run, job, row),
      mayRepeat: true,
      refuse: null,
    },
  });
  if (open.length > 0) return describeLost(job.file.name, 'the list of uploads could not be read');
  const address = { account_id: accountId, kind: 'upload', name: fingerprint } as const;
  const rows = await run.state.history({ address, limit: ROWS_MAX });
  const past = rows.filter(({ outcome }) => outcome === 'done' || outcome === 'adopted');
  const known = new Map((await run.state.known([accountId])).media.map((one) => [one.digest, one.media_id]));
  const plain = mediaPrint(fingerprint, wanted.declared ?? undefined);
  const mediaId =
    known.get(purposePrint(fingerprint, wanted)) ?? (samePurpose ? undefined : known.get(plain));
  const same = past.filter(counts);
  if (mediaId !== undefined) return judgeMedia(ports, job, mediaId, same[0]);
  for (const row of same) {
    const sent = await continueAccepted(run, job, row);
    if (sent !== null) return sent;
  }
  const [other] = past;
  if (!samePurpose || same.length > 0 || other === undefined) return null;
  const purpose = readAsked(other)?.purpose ?? wanted;
  const otherId = known.get(purposePrint(fingerprint, purpose)) ?? null;
  const media = otherId === null ? 'these bytes' : `these bytes (media ${otherId})`;
  return ended(
    'not_attempted',
    `The state has an export of ${media} of ${dayText(other)} for another purpose: ${describeDifference(purpose, wanted) ?? 'it cannot be read'}. Nothing was uploaded. To upload them for this purpose too: add --again.`,
    { mediaId: otherId },
  );
}

async function judgeMedia(
  ports: UploadPorts,
  job: UploadJob,
  mediaId: MediaId,
  row: RequestRow | undefined,
): Promise<Sent> {
  const day = row === undefined ? 'an earlier day' : dayText(row);
  if (!(await isTakenOut(ports, job, mediaId, row)))
    return ended('already', `The same bytes were uploaded on ${day}. --again uploads them once more.`, {
      mediaId,
      status: 'exported',
    });
  const { alias, accountId } = job.account;
  return ended(
    'not_attempted',
    `These bytes were uploaded on ${day} as media ${mediaId} of ${alias} (account ${accountId}). The service no longer has its thumbnail (404), so someone may have deleted it. Check the vault; the API shows no more. Nothing was uploaded now. To upload it again: ${formatAgain(job)}`,
  );
}

/** An accepted export without a known media. A list may lag behind an answer, so a young one is looked for twice. */
async function continueAccepted(run: Run, job: UploadJob, row: RequestRow): Promise<Sent | null> {
  const { accountId } = job.account;
  const asked = readAsked(row);
  if (asked === null) return null;
  const { key, purpose } = asked;
  let records = await recordsOfKey(run.client, accountId, key);
  if (records.length === 0 && isYoungerThan(run, row, run.settleMs)) {
    await run.clock.sleep(lagMs(run), run.interrupted);
    records = await recordsOfKey(run.client, accountId, key);
  }
  const record = records.find((one) => kindOfRecord(one) === 'export') ?? records[0];
  if (record === undefined)
    return ended(
      'unknown',
      `An export of the same bytes was accepted on ${dayText(row)}, but the list of uploads does not show it. Check ${formatCommand('vault', 'uploads', '--expired')}, and the vault. To upload it again: ${formatAgain(job)}`,
    );
  warnOfSecondCopy(job, record, records);
  const end = readEnd(record);
  if (end === 'failed') return null;
  if (end === 'unprocessable')
    return ended(
      'unprocessable',
      `The service could not use the same bytes on ${dayText(row)}, so nothing was uploaded. To try again: add --again.`,
      { uploadId: record.id, status: 'unprocessable' },
    );
  const facts = (mediaId: MediaId) => mediaFacts(accountId, row.name, purpose, mediaId);
  return {
    kind: 'done',
    value: { record, key, mediaFacts: facts, isEarlier: true, isRepeated: false, unrecorded: null },
  };
}

/** A younger media is taken to be there: its thumbnail may be in the making. */
const YOUNG_MS = 3_600_000;
/** An answer that takes longer is the last one that is waited for. */
const SLOW_MS = 10_000;

/**
 * Whether a media on record was removed from the vault. The service cannot read a single media, so its thumbnail is asked for,
 * and not read. Assumed (VAULT-3): a picture or a video has one as long as it is in the vault, and only "not found" says that
 * it is not. Media for a single fan may not be in the vault at all. After an unclear or slow answer, nothing more is asked.
 */
async function isTakenOut(
  { run, vault }: UploadPorts,
  { account, file, wishes }: UploadJob,
  mediaId: MediaId,
  row: RequestRow | undefined,
): Promise<boolean> {
  const hasThumbnail = /^(image|video)\//.test(file.contentType) && /^[1-9]\d*$/.test(mediaId);
  const isYoung = row !== undefined && isYoungerThan(run, row, YOUNG_MS);
  if (!vault.isClear || wishes.fanId !== null || !hasThumbnail || isYoung) return false;
  const params = { account_id: account.accountId, media_id: mediaId };
  const beganMs = run.clock.monotonicMs();
  const exchange = await run.client.call('vault.thumbnail', { params }, (earlier) =>
    vault.isClear && earlier === null ? null : 'asked once only',
  );
  if (exchange.kind === 'done') await exchange.reply.cancel().catch(() => undefined);
  const isGone = exchange.kind === 'refused' && exchange.problem.status === 404;
  const isQuick = run.clock.monotonicMs() - beganMs < SLOW_MS;
  vault.isClear &&= isQuick && (exchange.kind === 'done' || isGone);
  return isGone;
}

/** What is different, in words; null where both are for the same. */
function describeDifference(then: Purpose, now: Purpose): string | null {
  const fan = then.fan_id === null ? 'it was not for a single fan' : `it was for fan ${then.fan_id}`;
  const differences = [
    ...(then.type === now.type ? [] : [`it was exported for ${then.type}`]),
    ...(then.fan_id === now.fan_id ? [] : [fan]),
    ...(['guests', 'partners', 'tags'] as const)
      .filter((list) => then[list].join() !== now[list].join())
      .map((list) => `its ${list} were ${then[list].join(', ') || 'none'}`),
  ];
  return differences.length === 0 ? null : differences.join(', and ');
}

/** The command by which a person decides that the same bytes go up once more. */
function formatAgain({ account, file }: UploadJob): string {
  return formatCommand('vault', 'upload', fileArgument(file.path), '--account', account.alias, '--again');
}

/** `2026-06-01 12:00 UTC` */
function dayText(row: RequestRow): string {
  const [day = '', time] = sentText(row).split('T');
  return time === undefined ? 'an unknown day' : `${day} ${time.slice(0, 5)} UTC`;
}
