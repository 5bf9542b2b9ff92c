import type { Reply } from '../../api/catalogue.ts';
import { describeProblem } from '../../api/errors.ts';
import type { Destination, PutJob, PutPorts } from './put.ts';
import { fileArgument, formatCommand } from '../../domain/command-line.ts';
import type { FanId, MediaId } from '../../domain/ids.ts';
import type { ResolvedAccount } from '../../domain/resource.ts';
import { isDenied } from '../../engine/reasons.ts';
import { lagMs, type Run } from '../../engine/run.ts';
import {
  makeResult,
  readRecordsOfKey,
  warnOfSecondCopy,
  type Exported,
  type UploadRecord,
  type UploadResult,
} from './records.ts';
import type { OpenRequest, RequestRow } from '../../state/shapes.ts';
import { lookAtEarlier, sendAct, type Verdict, isYoungerThan, readRequest } from '../act.ts';
import { mediaPrint } from '../../domain/media.ts';

export interface UploadPorts extends Pick<PutPorts, 'bytes' | 'putBytes' | 'random'> {
  readonly run: Run;
  /** One for a run: uploads under way by account and bytes, so that none is done twice at the same time. */
  readonly sending: Map<string, Promise<unknown>>;
}

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

export interface UploadJob extends PutJob {
  readonly account: ResolvedAccount;
  /** The fingerprint of the bytes that were agreed to; null where the file may hold what it likes. */
  readonly planned: string | null;
  readonly wishes: ExportWishes;
  /** What it does now, in a word or two. */
  readonly onPhase: (phase: string) => void;
  readonly onWarning: (sentence: string) => void;
}

export type Sent = Exported | UploadResult;

/** What the state keeps of an export: enough to find its record again, and nothing secret. */
interface ExportAsked {
  readonly key: string;
  readonly purpose: Purpose;
}

/** What an export was for. The same bytes for another fan, or with other wishes of a file, are another export. */
interface Purpose {
  readonly fan_id: string | null;
  /** Digest of the wishes of a declared file. */
  readonly declared: string | null;
}

function readPurpose({ fanId, declared }: ExportWishes): Purpose {
  return { fan_id: fanId, declared: declared ?? null };
}

/** Null for a record that cannot be read: it may be for one fan, and stands for nothing. */
function readAsked(row: RequestRow): ExportAsked | null {
  const { key, purpose } = readRequest(row).details as Partial<ExportAsked>;
  return typeof key !== 'string' || purpose === undefined ? null : { key, purpose };
}

/** The media of these bytes and this purpose, as a plan looks for it. Media for one fan by hand is not for a plan. */
function printMedia(fingerprint: string, { fan_id: fanId, declared }: Purpose): string {
  return mediaPrint(fingerprint, declared ?? (fanId === null ? undefined : `fan-${fanId}`));
}

function makeMediaFacts(accountId: string, fingerprint: string, purpose: Purpose): Exported['mediaFacts'] {
  const print = printMedia(fingerprint, purpose);
  return (mediaId) => [{ kind: 'media', account_id: accountId, digest: print, media_id: mediaId }];
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
): Promise<Sent> {
  const { account, file, wishes } = job;
  const { key } = destination;
  const { name } = file;
  const purpose = readPurpose(wishes);
  const asked: ExportAsked = { key, purpose };
  const end = await sendAct<Reply<typeof EXPORT>, never, UploadRecord | null>(run, {
    subject: exportSubject(job, fingerprint),
    words: { what: `export ${name}`, next: adviseLookLater() },
    // Earlier ones were looked for before the bytes were sent.
    isOpen: () => false,
    look: (request) => lookForExport(run, job, request),
    mayRepeat: true,
    prepare: () => ({
      asked,
      send: run.client.prepare(EXPORT, {
        params: { account_id: account.accountId },
        body: exportBody(job, destination, eTag),
      }),
    }),
    // An answer about another key says nothing about ours. Assumed: it names the key that it is about, or none (VAULT-11).
    judge: ({ metadata }) => (metadata?.key == null || metadata.key === key ? 'done' : null),
  });
  const mediaFacts = makeMediaFacts(account.accountId, fingerprint, purpose);
  const exported = { outcome: null, key, mediaFacts, isEarlier: false } as const;
  if (end.kind === 'done') {
    const { reply: record, isRepeated, unrecorded } = end;
    return { ...exported, record, isRepeated, unrecorded };
  }
  if (end.kind === 'failed')
    return makeResult(
      'failed',
      `It was not exported: ${describeProblem(end.problem)}. ${end.problem.hint ?? ''}`,
      { denied: isDenied(end.problem) },
    );
  const { verdict, unrecorded } = end.kind === 'lost' ? end : { verdict: null, unrecorded: null };
  if (verdict?.kind === 'found' && verdict.found !== null)
    return { ...exported, record: verdict.found, isRepeated: false, unrecorded };
  if (verdict?.kind === 'absent')
    return makeResult(
      'failed',
      'It was not exported: the list of uploads does not show it after a lost answer.',
    );
  return describeLost(name);
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
  const records = await readRecordsOfKey(client, job.account.accountId, asked.key).catch((error: unknown) => {
    job.onWarning(error instanceof Error ? error.message : String(error));
    return null;
  });
  if (records === null) return { kind: 'open', found: null };
  const record = records.find(({ kind }) => kind === 'export')?.record;
  if (record === undefined) return { kind: 'absent' };
  warnOfSecondCopy(job.onWarning, record, records);
  return { kind: 'found', found: record, ending: { outcome: 'adopted', answer: { upload: record.id } } };
}

function adviseLookLater(): string {
  return `Run the same command again: it looks for this upload, and uploads nothing before the result is known. To check the uploads: ${formatCommand('vault', 'uploads', '--expired')}`;
}

function describeLost(name: string): UploadResult {
  return makeResult(
    'unknown',
    `Unconfirmed: the request to export ${name} may have been carried out. ${adviseLookLater()}`,
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
 */
export async function continueEarlier(
  ports: UploadPorts,
  job: UploadJob,
  fingerprint: string,
): Promise<Sent | null> {
  const { run } = ports;
  const { accountId } = job.account;
  const print = printMedia(fingerprint, readPurpose(job.wishes));
  const counts = (row: RequestRow) => {
    const purpose = readAsked(row)?.purpose;
    return purpose !== undefined && printMedia(fingerprint, purpose) === print;
  };
  const { open } = await lookAtEarlier(run, {
    subject: exportSubject(job, fingerprint),
    isOpen: counts,
    look: (row) => lookForExport(run, job, row),
  });
  if (open.length > 0) return describeLost(job.file.name);
  const address = { account_id: accountId, kind: 'upload', name: fingerprint } as const;
  const rows = await run.state.history({ address, limit: ROWS_MAX });
  const past = rows.filter((row) => (row.outcome === 'done' || row.outcome === 'adopted') && counts(row));
  const known = (await run.state.known([accountId])).media.find(
    (one) => one.account_id === accountId && one.digest === print,
  );
  if (known !== undefined) return judgeMedia(ports, job, known.media_id, past[0]);
  for (const row of past) {
    const sent = await continueAccepted(run, job, row);
    if (sent !== null) return sent;
  }
  return null;
}

async function judgeMedia(
  ports: UploadPorts,
  job: UploadJob,
  mediaId: MediaId,
  row: RequestRow | undefined,
): Promise<Sent> {
  const day = row === undefined ? 'an earlier day' : formatSentDay(row);
  if (!(await isTakenOut(ports, job, mediaId, row)))
    return makeResult('already', `The same bytes were uploaded on ${day}. --again uploads them once more.`, {
      mediaId,
      status: 'exported',
    });
  const { alias, accountId } = job.account;
  return makeResult(
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
  let records = await readRecordsOfKey(run.client, accountId, key);
  if (records.length === 0 && isYoungerThan(run, row, run.settleMs)) {
    await run.clock.sleep(lagMs(run), run.interrupted);
    records = await readRecordsOfKey(run.client, accountId, key);
  }
  const found = records.find(({ kind }) => kind === 'export') ?? records[0];
  if (found === undefined)
    return makeResult(
      'unknown',
      `An export of the same bytes was accepted on ${formatSentDay(row)}, but the list of uploads does not show it. Check ${formatCommand('vault', 'uploads', '--expired')}, and the vault. To upload it again: ${formatAgain(job)}`,
    );
  const { record, end } = found;
  warnOfSecondCopy(job.onWarning, record, records);
  if (end === 'failed') return null;
  if (end === 'unprocessable')
    return makeResult(
      'unprocessable',
      `The service could not use the same bytes on ${formatSentDay(row)}, so nothing was uploaded. To try again: add --again.`,
      { uploadId: record.id, status: 'unprocessable' },
    );
  const mediaFacts = makeMediaFacts(accountId, row.name ?? '', purpose);
  return { outcome: null, record, key, mediaFacts, isEarlier: true, isRepeated: false, unrecorded: null };
}

/** A younger media is taken to be there: its thumbnail may be in the making. */
const YOUNG_MS = 3_600_000;

/**
 * Whether a media on record was removed from the vault. The service cannot read a single media, so its thumbnail is asked for,
 * and not read. Assumed (VAULT-3): a picture or a video has one as long as it is in the vault, and only "not found" says that
 * it is not. Media for a single fan may not be in the vault at all.
 */
async function isTakenOut(
  { run }: UploadPorts,
  { account, file, wishes }: UploadJob,
  mediaId: MediaId,
  row: RequestRow | undefined,
): Promise<boolean> {
  const hasThumbnail = /^(image|video)\//.test(file.contentType) && /^[1-9]\d*$/.test(mediaId);
  const isYoung = row !== undefined && isYoungerThan(run, row, YOUNG_MS);
  if (wishes.fanId !== null || !hasThumbnail || isYoung) return false;
  const params = { account_id: account.accountId, media_id: mediaId };
  const ask = run.client.prepare('vault.thumbnail', { params });
  const exchange = await ask((earlier) => (earlier === null ? null : 'asked once only'));
  return exchange.kind === 'refused' && exchange.problem.status === 404;
}

/** The command by which a person decides that the same bytes go up once more. */
function formatAgain({ account, file, wishes }: UploadJob): string {
  const { type, fanId, guests, partners, tags, duration, declared } = wishes;
  const repeat = (flag: string, values: readonly unknown[]) => values.flatMap((one) => [flag, String(one)]);
  const kind = type === 'post' ? [] : ['--type', type];
  // The service takes the link of a fan, which no list has.
  const fan = fanId === null ? [] : ['--fan', 'LINK'];
  const ids = [...repeat('--guest', guests), ...repeat('--partner', partners), ...repeat('--tag', tags)];
  const length = repeat('--duration', duration === undefined ? [] : [duration]);
  const flags = ['--account', account.alias, ...kind, ...fan, ...ids, ...length, '--again'];
  const command = formatCommand('vault', 'upload', fileArgument(file.path), ...flags);
  // By hand it is an upload of its own.
  return declared === undefined ? command : `${command}. Then write its id in place of the file`;
}

/** `2026-06-01 12:00 UTC` */
function formatSentDay(row: RequestRow): string {
  const [day = '', time] = readRequest(row).sent_at.split('T');
  return time === undefined ? 'an unknown day' : `${day} ${time.slice(0, 5)} UTC`;
}
