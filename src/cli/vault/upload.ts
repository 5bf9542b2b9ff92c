import { invalidFiles } from '../../library/errors.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { HeraldError, hasCode } from '../../domain/herald-error.ts';
import { examineFile, type LocalFile } from '../../api/upload-file.ts';
import type { ExportWishes, UploadJob } from '../../acts/upload/export.ts';
import type { FollowPorts } from '../../acts/upload/status.ts';
import { followFiles, sendFiles, type SentFile } from '../../acts/upload/upload.ts';
import type { Diagnostic } from '../../domain/diagnostic.ts';
import { idShape, type FanId } from '../../domain/ids.ts';
import type { ResolvedAccount } from '../../domain/resource.ts';
import { shown, visibleProse } from '../../domain/visible.ts';
import { nameService } from '../../library/state-access.ts';
import { UploadWatch } from '../../acts/upload/records.ts';
import { chooseAccount, openService, sayService, type Service } from '../accounts.ts';
import { exitOfDone, withActRun } from '../act-run.ts';
import type { Context } from '../context.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { checkFanLink, verifyFan } from './fan.ts';
import { UploadProgress } from './upload-progress.ts';
import { reportUploads } from './upload-report.ts';

export interface UploadFlags {
  readonly account: string | undefined;
  readonly name: string | undefined;
  readonly contentType: string | undefined;
  readonly type: 'post' | 'message' | undefined;
  /** Link of the fan who gets the media. */
  readonly fan: string | undefined;
  readonly guests: readonly string[];
  readonly partners: readonly string[];
  readonly tags: readonly string[];
  /** In seconds. */
  readonly duration: number | undefined;
  readonly again: boolean;
  /** In milliseconds. Null to not wait. */
  readonly waitMs: number | null;
  readonly parallel: number;
}

/**
 * `herald vault upload`: checks all files before it sends anything. Then it starts, puts, finishes and exports each
 * one (VAULT-6), and waits for the result. It does not ask, because files and account are named, and bytes that are
 * already there are not uploaded again.
 */
export async function vaultUploadCommand(
  context: Context,
  paths: readonly string[],
  flags: UploadFlags,
): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  refuseFlags(paths, flags);
  const files = await examineAll(context, paths, flags);
  const service = await openService(context);
  const account = await chooseAccount(service, flags.account);
  sayService(context, service);
  const board = new UploadProgress(context);
  const ends = new Map<UploadJob, () => void>();
  const sent = await withActRun(context, service, { account, command: 'vault upload' }, async (run) => {
    const fanId = flags.fan === undefined ? null : await verifyFan(service.client, account, flags.fan);
    const jobs = files.map((file): UploadJob => {
      const { onEnd, ...progress } = board.follow(file);
      const { parallel } = flags;
      const job = { account, file, planned: null, parallel, wishes: wishesOf(flags, fanId), ...progress };
      ends.set(job, onEnd);
      return job;
    });
    const { typed, random } = context;
    const { putBytes } = service;
    return sendFiles(
      { run, bytes: typed.bytes, putBytes, random, vault: { isClear: true } },
      jobs,
      flags.again,
    );
  });
  // Without the lease: the service has all bytes, and makes the media without us for up to half an hour.
  const results = await context.protect(() =>
    follow(context, service, { account, sent, waitMs: flags.waitMs }, (job) => ends.get(job)?.()),
  );
  board.clear();
  const exit = reportUploads(context, format, account, files, results);
  const unrecorded = sent.map((one) => (one.sent.kind === 'done' ? one.sent.value.unrecorded : null));
  return exit === EXIT.done ? exitOfDone(context, unrecorded.find((why) => why !== null) ?? null) : exit;
}

async function follow(
  context: Context,
  { client }: Service,
  {
    account,
    sent,
    waitMs,
  }: {
    readonly account: ResolvedAccount;
    readonly sent: readonly SentFile[];
    readonly waitMs: number | null;
  },
  onEnd: (job: UploadJob) => void,
) {
  const { clock, random, interrupted } = context;
  const watch = new UploadWatch({ client, clock, random, interrupted }, account.accountId);
  return followFiles({ client, state: recordingMedia(context, client), watch, waitMs }, sent, onEnd);
}

/** Records media as it becomes known. That can be lost: the next run finds the exports in the list of uploads, by their key. */
function recordingMedia({ state, output }: Context, client: Service['client']): FollowPorts['state'] {
  return {
    learn: async (facts) => {
      try {
        const joined = await state.join(() => nameService(client));
        try {
          await joined.learn(facts);
        } finally {
          await joined.close();
        }
      } catch (error) {
        if (!hasCode(error, 'state-')) throw error;
        output.say(
          shown`The result of this upload is not in the state: ${visibleProse(error.message)}. The next upload of these bytes finds it in the list of uploads.`,
        );
      }
    },
  };
}

/** Checks all files. Throws with all their problems at once. */
async function examineAll(
  context: Context,
  paths: readonly string[],
  wishes: UploadFlags,
): Promise<readonly LocalFile[]> {
  const files: LocalFile[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const path of paths) {
    const file = await examineFile(context.typed.bytes, path, wishes);
    if (!('problems' in file)) files.push(file);
    else
      for (const problem of file.problems)
        diagnostics.push({ severity: 'error', code: 'not-uploadable', message: `${problem}.`, file: path });
  }
  if (diagnostics.length > 0) throw invalidFiles(diagnostics);
  return files;
}

function refuseFlags(paths: readonly string[], flags: UploadFlags): void {
  if (new Set(paths).size < paths.length)
    throw new HeraldError('bad-flag', 'A file is named twice.', 'Name each file once.');
  if (flags.name !== undefined && paths.length > 1)
    throw new HeraldError('bad-flag', '--name works with one file only.');
  if (flags.fan !== undefined && flags.type === 'post')
    throw new HeraldError('bad-flag', '--fan works with --type message only.');
  if (flags.fan !== undefined) checkFanLink(flags.fan);
  const ids = [...flags.guests, ...flags.partners, ...flags.tags];
  const bad = ids.filter((id) => !idShape.safeParse(id).success);
  if (bad.length > 0)
    throw new HeraldError('bad-flag', `These are not ids: ${bad.join(', ')}. An id has up to 19 digits.`);
}

function wishesOf(
  { type, fan, guests, partners, tags, duration }: UploadFlags,
  fanId: FanId | null,
): ExportWishes {
  return { type: type ?? (fan === undefined ? 'post' : 'message'), fanId, guests, partners, tags, duration };
}
