import { examineFile, type LocalFile } from '../../api/upload-file.ts';
import type { Sent, UploadJob } from '../../acts/upload/export.ts';
import { verifyFan, type UploadResult, followExports, MEDIA_WAIT_MS } from '../../acts/upload/records.ts';
import { type ApplyUploadPorts, limitUploads, PARTS_AT_ONCE } from '../../acts/upload/upload.ts';
import { chooseAccounts, openService, sayService } from '../../cli/accounts.ts';
import type { Service } from '../../library/connect.ts';
import { type ActEnd, endActs, withActRun } from '../../cli/act-run.ts';
import type { Context } from '../../cli/context.ts';
import { defineCommand, listResult } from '../../cli/define-command.ts';
import {
  choiceFlag,
  lockTimeoutFlag,
  parsedFlag,
  parseFanLink,
  parseNumber,
  switchFlag,
  textFlag,
  textsFlag,
  timeFlag,
  type ValuesOf,
  wholeNumberFlag,
  word,
} from '../../cli/flags.ts';
import type { Diagnostic } from '../../domain/diagnostic.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import { idShape, type FanId } from '../../domain/ids.ts';
import { shown, visibleProse } from '../../domain/visible.ts';
import type { Run } from '../../engine/run.ts';
import { formatBytes } from '../../render/values.ts';
import { renderTable } from '../../render/table.ts';
import { requireValid } from '../../workspace/load.ts';

const TYPES = ['post', 'message'] as const;
const ids = (name: string) => textsFlag(`--${name} <id>`, `sent as rf_${name} (repeatable)`);

const fileWords = { files: word('FILE...') };
const flags = {
  account: textsFlag('--account <name>', 'alias, group or id of the account (repeatable)'),
  name: textFlag('--name <name>', 'name in the vault (default: name of the file)'),
  contentType: textFlag('--content-type <type>', 'content type, if name and bytes do not show it'),
  type: choiceFlag('--type <type>', 'purpose (default: message with --fan, otherwise post)', TYPES),
  fan: parsedFlag('--fan <link>', 'fan who gets the message; checked first', parseFanLink),
  guests: ids('guest'),
  partners: ids('partner'),
  tags: ids('tag'),
  duration: parsedFlag(
    '--duration <seconds>',
    'length of a video or audio',
    parseNumber('a number of seconds of at least 0', (seconds) => Number.isFinite(seconds) && seconds >= 0),
  ),
  again: switchFlag('--again', 'upload again even if the same bytes were uploaded before'),
  wait: timeFlag('--wait <time>', 'wait this long for the result: 90s, 30m, 2h (default: 30m)'),
  isAwaited: switchFlag('--no-wait', 'do not wait after the service has accepted it'),
  parallel: wholeNumberFlag(
    '--parallel <number>',
    'parts of a file to send in parallel (default: 4)',
    [1, 16],
  ),
  yes: switchFlag('--yes', 'accepted for consistency; has no effect'),
  lockTimeout: lockTimeoutFlag,
};

type Given = ValuesOf<typeof flags & typeof fileWords>;

/**
 * Checks all files before it sends anything. Then it starts, puts, finishes and exports each one (VAULT-6), on each account, and
 * waits for the result. It does not ask, because files and accounts are named, and bytes that are already there are not uploaded
 * again.
 */
export const upload = defineCommand({
  path: 'vault upload',
  about: 'upload files to the vault, each once',
  examples: [
    'herald vault upload hello.jpg clip.mp4 --account alice',
    'herald vault upload "héllo.jpg" --name hello.jpg --account alice --no-wait',
    'herald vault upload gift.mp4 --account alice --fan https://HOST/some_fan --format json',
  ],
  words: fileWords,
  flags,
  needs: 'nothing',
  run: async (context, given) => {
    refuseFlags(given);
    const files = await examineAll(context, given);
    const service = await openService(context);
    const accounts = await chooseAccounts(service, given.account, { id: 'accountId', isAct: true });
    sayService(context, service);
    const jobs = accounts.flatMap((account) =>
      files.map((file) => ({ account, file, ...service.ports.followUpload(file) })),
    );
    const sent = await withActRun(service, { accounts, command: 'vault upload' }, (run) =>
      sendAll(context, service, run, { given, jobs }),
    );
    // Without the lease: the service has all bytes, and makes the media without us for up to half an hour.
    const uploads = await context.protect(() => followAll(context, service, sent, given));
    for (const one of uploads) reportOne(context, one);
    const items = uploads.map(makeItem);
    const ends = uploads.map((one) => judgeEnd(context, one));
    return {
      exit: endActs(context, ends),
      ...listResult(items, renderTable(COLUMNS, uploads.map(makeCells), context.output)),
    };
  },
});

function refuseFlags({ files, name, fan, type, guests, partners, tags }: Given): void {
  if (name !== undefined && files.length > 1)
    throw new HeraldError('bad-flag', '--name works with one file only.');
  if (fan !== undefined && type === 'post')
    throw new HeraldError('bad-flag', '--fan works with --type message only.');
  const bad = [...guests, ...partners, ...tags].filter((id) => !idShape.safeParse(id).success);
  if (bad.length > 0)
    throw new HeraldError('bad-flag', `These are not ids: ${bad.join(', ')}. An id has up to 19 digits.`);
}

/** Checks all files. Throws with all their problems at once. */
async function examineAll(context: Context, typed: Given): Promise<readonly LocalFile[]> {
  const files: LocalFile[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const path of typed.files) {
    const file = await examineFile(context.typed.bytes, path, typed);
    if (!('problems' in file)) files.push(file);
    else
      for (const problem of file.problems)
        diagnostics.push({ severity: 'error', code: 'not-uploadable', message: `${problem}.`, file: path });
  }
  if (diagnostics.length > 0) requireValid({ kind: 'invalid', diagnostics });
  return files;
}

type Job = Pick<UploadJob, 'account' | 'file'> & ReturnType<ApplyUploadPorts['follow']>;
type SentJob = Job & { readonly sent: Sent };
type EndedJob = SentJob & { readonly result: UploadResult };

/** Sends each file to each account, until the service has accepted it. */
async function sendAll(
  { typed, random }: Context,
  { client, putBytes }: Service,
  run: Run,
  { given, jobs }: { readonly given: Given; readonly jobs: readonly Job[] },
): Promise<readonly SentJob[]> {
  const { fan, guests, partners, tags, duration, parallel = PARTS_AT_ONCE, again: isAgain } = given;
  const { type = fan === undefined ? 'post' : 'message' } = given;
  const send = limitUploads({ run, bytes: typed.bytes, putBytes, random });
  const fans = new Map<string, FanId>();
  for (const id of fan === undefined ? [] : new Set(jobs.map(({ account }) => account.accountId)))
    fans.set(id, await verifyFan(client, id, fan ?? ''));
  return Promise.all(
    jobs.map(async (job) => {
      const fanId = fans.get(job.account.accountId) ?? null;
      const wishes = { type, fanId, guests, partners, tags, duration };
      return { ...job, sent: await send({ ...job, planned: null, parallel, wishes }, isAgain) };
    }),
  );
}

/** Follows the uploads to their ends, in the order of the jobs. */
function followAll(
  { clock, random, interrupted }: Context,
  service: Service,
  jobs: readonly SentJob[],
  { isAwaited, wait = MEDIA_WAIT_MS }: Given,
): Promise<readonly EndedJob[]> {
  const { client } = service;
  const waitMs = isAwaited ? wait : null;
  // One state for all: several of one process would wait for each other.
  return service.withJoinedRun('vault upload', ({ state }) => {
    const followExport = followExports({ client, clock, random, interrupted, state, waitMs });
    return Promise.all(
      jobs.map(async (job) => {
        const { account, sent, onWarning, onEnd } = job;
        const result = sent.outcome === null ? await followExport(account.accountId, sent, onWarning) : sent;
        onEnd();
        return { ...job, result };
      }),
    );
  });
}

/** Outcomes that count as success. */
const IS_THERE: ReadonlySet<UploadResult['outcome']> = new Set(['exported', 'already', 'accepted']);

function reportOne({ output }: Context, { file, result: { outcome, message, uploadId } }: EndedJob): void {
  const words = visibleProse(`${file.path}: ${message}`);
  const line = uploadId === null ? words : shown`${words} (upload ${uploadId})`;
  if (!IS_THERE.has(outcome)) output.fail(line);
  else if (message !== '') output.say(line);
}

function makeItem({ account, file, result }: EndedJob) {
  return {
    account: account.alias,
    account_id: account.accountId,
    file: file.path,
    name: file.name,
    size: file.size,
    content_type: file.contentType,
    outcome: result.outcome,
    media_id: result.mediaId,
    upload_id: result.uploadId,
    status: result.status,
    message: result.message,
  };
}

const SIZE = { header: 'SIZE', align: 'right' } as const;
const COLUMNS = ['ACCOUNT', 'FILE', SIZE, 'OUTCOME', { header: 'MEDIA', whole: true }, 'STATUS'];

function makeCells({ account, file, result: { outcome, mediaId, status } }: EndedJob) {
  return [account.alias, file.path, formatBytes(file.size), outcome, mediaId ?? '-', status ?? '-'];
}

/** Only the end of what was sent now may be missing in the state. */
function judgeEnd({ interrupted }: Context, { sent, result: { outcome } }: EndedJob): ActEnd {
  if (IS_THERE.has(outcome))
    return { exit: EXIT.done, unrecorded: sent.outcome === null ? sent.unrecorded : null };
  const isLeft = outcome === 'pending' || outcome === 'not_attempted';
  if (isLeft && interrupted.aborted) return { exit: EXIT.interrupted };
  return { exit: outcome === 'unknown' || outcome === 'pending' ? EXIT.unknown : EXIT.failed };
}
