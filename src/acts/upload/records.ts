import type { Reply } from '../../api/catalogue.ts';
import type { Client } from '../../api/client.ts';
import { describeProblem, ServiceError } from '../../api/errors.ts';
import { readPages, readWhole, type ListInput } from '../../api/pages.ts';
import { chooseWaitMs } from '../../api/send-call.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { compareText } from '../../domain/diagnostic.ts';
import { HeraldError, hasCode } from '../../domain/herald-error.ts';
import type { AccountId, FanId, MediaId, UploadId } from '../../domain/ids.ts';
import type { Clock } from '../../domain/ports.ts';
import type { WithStatus } from '../../domain/status.ts';
import { isDenied } from '../../engine/reasons.ts';
import type { Fact } from '../../state/shapes.ts';
import type { State } from '../../state/state.ts';

export type UploadRecord = Reply<'vault.upload-export'>;

/** The result of an upload. Null while it continues, or if it is unknown. */
type UploadEnd = 'exported' | 'failed' | 'unprocessable' | null;

interface UploadTraits {
  /** Only during an export. */
  readonly isExport: boolean;
  readonly end: UploadEnd;
  /** It continues by itself, so there is nothing to retry. */
  readonly moves: boolean;
}

/** Of an upload that was only started, and of each status that is missing or not documented: it does not prove an export. */
const STARTED: UploadTraits = { isExport: false, end: null, moves: false };

/** The traits of each documented status (VAULT-12). */
const TRAITS: ReadonlyMap<string | null | undefined, UploadTraits> = new Map([
  ['uploaded', STARTED],
  ['processing', { isExport: true, end: null, moves: true }],
  ['processed', { isExport: true, end: null, moves: false }],
  ['exporting', { isExport: true, end: null, moves: true }],
  ['exported', { isExport: true, end: 'exported', moves: false }],
  ['failed', { isExport: true, end: 'failed', moves: false }],
  ['unprocessable', { isExport: true, end: 'unprocessable', moves: false }],
]);

function readTraits({ status }: WithStatus): UploadTraits {
  return TRAITS.get(status) ?? STARTED;
}

/** All uploads of an account: unfinished ones are listed only with `expired` (VAULT-13). */
function listAll(accountId: AccountId): ListInput<'vault.uploads'> {
  return { params: { account_id: accountId }, query: { expired: true } };
}

/** A record of one of our keys, and what it says about the export of that. */
interface KeyRecord {
  readonly record: UploadRecord;
  readonly kind: 'export' | 'start';
  readonly end: UploadEnd;
}

/** Normally at most one. The oldest first, but a failed one never before one that may be a media. */
export async function readRecordsOfKey(
  client: Client,
  accountId: AccountId,
  key: string,
): Promise<readonly KeyRecord[]> {
  const isOfKey = ({ metadata }: UploadRecord) => metadata?.key === key;
  const records = (await readWhole(client, 'vault.uploads', listAll(accountId), isOfKey)).toSorted(
    (left, right) =>
      Number(hasFailed(left)) - Number(hasFailed(right)) ||
      compareText(left.created_at ?? '', right.created_at ?? ''),
  );
  return records.map((record) => ({ record, kind: readKind(record), end: readEnd(record) }));
}

/** Will not become a media any more. */
function hasFailed(record: UploadRecord): boolean {
  const { end } = readTraits(record);
  return end === 'failed' || end === 'unprocessable';
}

/**
 * The service lists the type of an export. A record without one, without a media and in no later state than `uploaded` is an
 * upload that was only started (VAULT-13).
 */
function readKind(record: UploadRecord): 'export' | 'start' {
  const { media_id: mediaId, metadata } = record;
  if (mediaId != null || (metadata != null && typeof metadata['export_type'] === 'string')) return 'export';
  return readTraits(record).isExport ? 'export' : 'start';
}

/** Assumed: `failed` and `unprocessable` may be reached from any state (VAULT-12). */
function readEnd(record: UploadRecord): UploadEnd {
  const { end } = readTraits(record);
  return end === 'exported' && record.media_id == null ? null : end;
}

/**
 * How far an upload came.
 *
 * | outcome       | the media is in the vault | what it means                                                |
 * |---------------|---------------------------|--------------------------------------------------------------|
 * | exported      | yes                       | uploaded now                                                 |
 * | already       | yes                       | the same bytes were uploaded before; nothing was sent        |
 * | accepted      | not yet                   | the service has it, and Herald did not wait for the end      |
 * | pending       | not yet                   | the wait ran out before the end                              |
 * | failed        | no                        | it may be uploaded again                                     |
 * | unprocessable | no                        | the service cannot use these bytes: no repeat helps          |
 * | unknown       | not known                 | an answer was lost, and the list of uploads did not tell     |
 * | not_attempted | no                        | nothing was exported: interrupted, or it takes --again       |
 */
export const UPLOAD_OUTCOMES = [
  'exported',
  'already',
  'accepted',
  'pending',
  'failed',
  'unprocessable',
  'unknown',
  'not_attempted',
] as const;
export type UploadOutcome = (typeof UPLOAD_OUTCOMES)[number];

export interface UploadResult {
  readonly outcome: UploadOutcome;
  readonly uploadId: UploadId | null;
  readonly mediaId: MediaId | null;
  /** The service's word for the state of the upload, as it was last read. */
  readonly status: string | null;
  /** What happened and what to do, as sentences; empty where there is nothing to say. */
  readonly message: string;
  /** The service refused the key or what it asked for: no other upload would succeed. */
  readonly denied?: boolean;
}

export function makeResult(
  outcome: UploadOutcome,
  message: string,
  known: Partial<UploadResult> = {},
): UploadResult {
  return { uploadId: null, mediaId: null, status: null, ...known, outcome, message };
}

/** An export that the service has accepted. */
export interface Exported {
  readonly outcome: null;
  readonly record: UploadRecord;
  readonly key: string;
  /** What to record when its media is known. */
  readonly mediaFacts: (mediaId: MediaId) => readonly Fact[];
  /** These bytes were exported before; nothing was uploaded now. */
  readonly isEarlier: boolean;
  /** An export of this key was lost before and sent once more: one that takes effect late makes a second media. */
  readonly isRepeated: boolean;
  /** Why the state does not have its end. */
  readonly unrecorded: string | null;
}

/** Exports of one key that were carried out twice make two media (LOST-17, FAULT-12). */
export function warnOfSecondCopy(
  onWarning: (sentence: string) => void,
  { id }: UploadRecord,
  records: readonly KeyRecord[],
): void {
  const others = records.flatMap(({ record, kind }) =>
    record.id !== id && kind === 'export' && !hasFailed(record) ? [record.id] : [],
  );
  if (others.length === 0) return;
  onWarning(
    `The vault has ${others.length + 1} uploads with the same key. Herald waits for ${id}; ${others.join(', ')} may be a second copy of the media.`,
  );
}

/** Asks the service for the id of a fan, given a link to the platform. This only looks it up, so it may be repeated. */
export async function verifyFan(client: Client, accountId: AccountId, link: string): Promise<FanId> {
  const call = { params: { account_id: accountId }, body: { fan_link: link } };
  return (await client.read('vault.verify-fan', call)).fan_id;
}

/** What following exports needs. Without the lease: facts are recorded next to any other run. */
interface FollowPorts {
  readonly client: Client;
  readonly clock: Clock;
  /** From 0 to 1, for jitter. */
  readonly random: () => number;
  readonly interrupted: AbortSignal;
  readonly state: Pick<State, 'learn'>;
  /** How long the end of each is waited for, in milliseconds; null for not at all. */
  readonly waitMs: number | null;
}

/** Follows an accepted export to its end, and records its media. `onWarning` gets a sentence for a person, although it goes on. */
type FollowExport = (
  accountId: AccountId,
  exported: Exported,
  onWarning: (sentence: string) => void,
) => Promise<UploadResult>;

/** How long the service may take to make media of what it got; a later run goes on waiting. */
export const MEDIA_WAIT_MS = 30 * 60_000;

/** Follows exports of any account. One reading of an account's list serves all of its files. */
export function followExports(ports: FollowPorts): FollowExport {
  const { client, state, waitMs } = ports;
  const watches = new Map<AccountId, ReturnType<typeof watchUploads>>();
  return async (accountId, { record, isEarlier, isRepeated, key, mediaFacts }, onWarning) => {
    const earlier = isEarlier ? 'The same bytes were uploaded before; nothing was uploaded now.' : '';
    if (waitMs === null && readEnd(record) === null) {
      const words = earlier || 'The service has accepted it, but the media does not exist yet.';
      return makeResult('accepted', words, { uploadId: record.id, status: record.status ?? null });
    }
    const follow = watches.get(accountId) ?? watchUploads(ports, accountId);
    watches.set(accountId, follow);
    const watched = await follow(record, waitMs ?? 0);
    const { media_id: mediaId } = watched.record;
    if (watched.end === 'exported' && mediaId != null)
      await state.learn(mediaFacts(mediaId)).catch((error: unknown) => {
        if (!hasCode(error, 'state-')) throw error;
        onWarning(
          `The result of this upload is not in the state: ${error.message}. The next upload of these bytes finds it in the list of uploads.`,
        );
      });
    if (isRepeated) {
      const all = await readRecordsOfKey(client, accountId, key).catch(() => []);
      warnOfSecondCopy(onWarning, watched.record, all);
    }
    const result = describeEnd(watched, accountId);
    if (!isEarlier || result.outcome !== 'exported') return result;
    return { ...result, outcome: 'already', message: earlier };
  };
}

/** Later looks wait longer (VAULT-14). */
const FIRST_LOOK_MS = 2_000;

/** How a watch ended; `why` says what went wrong while looking, if anything did. */
interface WatchEnd {
  readonly end: 'exported' | 'failed' | 'unprocessable' | 'timed_out' | 'interrupted' | 'denied';
  readonly record: UploadRecord;
  readonly why: string | null;
}

interface Follower {
  record: UploadRecord;
  readonly untilMs: number;
  readonly resolve: (watched: WatchEnd) => void;
}

/**
 * Follows uploads of one account to their ends. The service has no way to read one upload, so one reading of the
 * list serves all that are followed. Statuses are advisory: only the three that nothing leaves end a watch, and
 * `exported` only with its media.
 */
function watchUploads({ client, clock, random, interrupted }: FollowPorts, accountId: AccountId) {
  const followers = new Set<Follower>();
  let looks = 1;
  let isRunning = false;
  let why: string | null = null;
  const endOne = (follower: Follower, end: WatchEnd['end']) => {
    followers.delete(follower);
    follower.resolve({ end, record: follower.record, why });
  };
  /** Reads the list until all that are followed were seen. A reading that fails is the end only if the key is refused. */
  const look = async () => {
    const unseen = new Set(followers);
    why = null;
    try {
      for await (const page of readPages(client, 'vault.uploads', listAll(accountId))) {
        for (const follower of unseen) {
          const record = page.find(({ id }) => id === follower.record.id);
          if (record === undefined) continue;
          unseen.delete(follower);
          follower.record = record;
          const end = readEnd(record);
          if (end !== null) endOne(follower, end);
        }
        if (unseen.size === 0) return;
      }
    } catch (error) {
      why = error instanceof Error ? error.message : String(error);
      if (error instanceof ServiceError && isDenied(error.problem))
        for (const follower of followers) endOne(follower, 'denied');
    }
  };
  const run = async () => {
    isRunning = true;
    while (followers.size > 0) {
      const untilMs = Math.min(...[...followers].map((follower) => follower.untilMs));
      const waitMs = Math.min(chooseWaitMs(random, FIRST_LOOK_MS, looks), untilMs - clock.monotonicMs());
      await clock.sleep(Math.max(0, waitMs), interrupted).catch(() => undefined);
      if (interrupted.aborted) break;
      looks += 1;
      await look();
      for (const follower of followers)
        if (clock.monotonicMs() >= follower.untilMs) endOne(follower, 'timed_out');
    }
    for (const follower of followers) endOne(follower, 'interrupted');
    isRunning = false;
  };
  /** Resolves when the upload has come to its end, or after `waitMs`. Never rejects. */
  return (record: UploadRecord, waitMs: number): Promise<WatchEnd> => {
    const end = readEnd(record);
    if (end !== null) return Promise.resolve({ end, record, why: null });
    return new Promise((resolve) => {
      followers.add({ record, untilMs: clock.monotonicMs() + waitMs, resolve });
      looks = 1;
      if (!isRunning) void run();
    });
  };
}

const LATER = 'Run the same command again: it looks for this upload and uploads nothing twice.';

/** How each end of a watch is shown. `trouble`: why the last look failed. */
const ENDS: Readonly<Record<WatchEnd['end'], readonly [UploadOutcome, (trouble: string) => string]>> = {
  exported: ['exported', () => ''],
  failed: ['failed', () => 'The service failed to process it. Upload it again.'],
  unprocessable: [
    'unprocessable',
    () =>
      'The service cannot use it: the file is corrupt, or of a kind that the service does not support. Uploading it again does not help.',
  ],
  timed_out: [
    'pending',
    (trouble) => `It was still in progress when Herald stopped waiting.${trouble} ${LATER}`,
  ],
  denied: [
    'pending',
    (trouble) => `The service has accepted it, but Herald stopped waiting.${trouble} ${LATER}`,
  ],
  interrupted: ['pending', () => `Interrupted while the upload was in progress. ${LATER}`],
};

function describeEnd({ end, record, why }: WatchEnd, accountId: AccountId): UploadResult {
  const known = { uploadId: record.id, mediaId: record.media_id ?? null, status: record.status ?? null };
  const [outcome, words] = ENDS[end];
  const told = words(why === null ? '' : ` The last check failed: ${why}.`);
  const isStuck = end === 'timed_out' && why === null && !readTraits(record).moves;
  const retry = formatCommand('vault', 'retry', record.id, '--account', accountId);
  const message = isStuck ? `${told} If it stays ${record.status ?? 'so'}, queue it again: ${retry}` : told;
  return makeResult(outcome, message, { ...known, denied: end === 'denied' });
}

interface Retried {
  readonly record: UploadRecord;
  readonly did:
    | 'was queued again'
    | 'is already in progress, so there is nothing to retry'
    | 'is already finished, so there is nothing to retry';
}

/**
 * Queues an upload again. Idempotent, so retried after a lost answer. A refusal is normal: statuses are advisory (LOST-18), so the
 * list says whether there was anything to retry. Throws if there was.
 */
export async function retryUpload(client: Client, accountId: AccountId, uploadId: string): Promise<Retried> {
  const params = { account_id: accountId, upload_id: uploadId };
  const exchange = await client.prepare('vault.upload-retry', { params })();
  if (exchange.kind === 'done') return { record: exchange.reply, did: 'was queued again' };
  const { problem, kind } = exchange;
  if (kind !== 'unknown' && (kind !== 'refused' || isDenied(problem))) throw new ServiceError(problem);
  const record = await findRecord(client, accountId, uploadId).catch(() => null);
  const { moves, end } = readTraits(record ?? {});
  if (record !== null && moves)
    return { record, did: 'is already in progress, so there is nothing to retry' };
  if (record !== null && end === 'exported')
    return { record, did: 'is already finished, so there is nothing to retry' };
  const { status = null, media_id = null } = record ?? {};
  const details = {
    facts: [`answer: ${describeProblem(problem)}`, `status in the list of uploads: ${status ?? 'not known'}`],
    upload_id: uploadId,
    status,
    media_id,
  };
  if (kind === 'unknown')
    throw new HeraldError(
      'unknown-outcome',
      `Unconfirmed: upload ${uploadId} may have been queued again.`,
      'Run the command again; a second retry is harmless.',
      { details },
    );
  throw new HeraldError('not-queued', `Upload ${uploadId} was not queued again.`, chooseAdvice(end), {
    details,
  });
}

async function findRecord(client: Client, accountId: AccountId, id: string): Promise<UploadRecord | null> {
  for await (const page of readPages(client, 'vault.uploads', listAll(accountId))) {
    const found = page.find((record) => record.id === id);
    if (found !== undefined) return found;
  }
  return null;
}

function chooseAdvice(end: UploadEnd): string {
  if (end === 'failed')
    return `A failed upload cannot be retried. Upload the file again: ${formatCommand('vault', 'upload', 'FILE')}`;
  return end === 'unprocessable'
    ? 'The service cannot use this file: it is damaged, or of an unsupported type.'
    : `To see all uploads: ${formatCommand('vault', 'uploads', '--expired')}`;
}
