import type { Context } from '../context.ts';
import type { Diagnostic } from '../../domain/diagnostic.ts';
import { idShape, type FanId } from '../../domain/ids.ts';
import { examineFile, type LocalFile } from '../../api/local-file.ts';
import { isExport, pastExports } from '../../operations/upload/past-exports.ts';
import type { UploadJob } from '../../operations/upload/upload.ts';
import { followFiles, sendFiles } from '../../operations/upload/upload-files.ts';
import { UploadNews } from '../../operations/upload/news.ts';
import { VaultLook } from '../../operations/upload/vault-look.ts';
import type { ExportWishes } from '../../operations/upload/wishes.ts';
import { CommandError } from '../failure.ts';
import { InvalidFilesError } from '../../library/errors.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { PendingConclusions } from './pending-conclusions.ts';
import { chooseAccount, openService, sayService, type Service } from '../accounts.ts';
import { refuseMovedAlias } from '../../reconcile/moved-alias.ts';
import { UploadProgress } from './upload-progress.ts';
import { warnUnreadableLedger } from './unreadable-ledger.ts';
import { verifyFan } from '../../operations/upload/verify-fan.ts';
import { checkFanLink } from './fan.ts';
import { reportUploads } from './upload-report.ts';
import { withLedger } from '../with-ledger.ts';

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
  const ports = portsOf(context, service);
  const sent = await withLedger(context, service.client, isExport, async (ledger, known) => {
    refuseMovedAlias(service.settings, account, known);
    const fanId = flags.fan === undefined ? null : await verifyFan(service.client, account, flags.fan);
    const jobs = files.map((file): UploadJob => {
      const { parallel } = flags;
      const wishes = wishesOf(flags, fanId);
      return { account, file, planned: null, parallel, wishes, ...board.follow(file) };
    });
    if (!flags.again) warnUnreadableLedger(context, known);
    const past = pastExports(known.lines, account.accountId);
    return sendFiles({ ...ports, ledger }, jobs, { past, again: flags.again });
  });
  // Release the lock: the service has all bytes, and makes the media without us for up to half an hour.
  const notes = new PendingConclusions();
  const results = await context.protect(() => followFiles({ ...ports, ledger: notes }, sent, flags.waitMs));
  board.clear();
  await notes.writeDown(context, service.client);
  return reportUploads(context, format, account, files, results);
}

function portsOf(context: Context, { client, putBytes, settings }: Service) {
  const { clock, random, interrupted, typed, events } = context;
  return {
    client,
    bytes: typed.bytes,
    putBytes,
    clock,
    random,
    interrupted,
    vaults: new VaultLook(),
    news: new UploadNews({ events, clock }),
    settleMs: settings.service.settleSec * 1000,
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
  if (diagnostics.length > 0) throw new InvalidFilesError(diagnostics);
  return files;
}

function refuseFlags(paths: readonly string[], flags: UploadFlags): void {
  if (new Set(paths).size < paths.length)
    throw new CommandError('bad-flag', 'A file is named twice.', 'Name each file once.');
  if (flags.name !== undefined && paths.length > 1)
    throw new CommandError('bad-flag', '--name works with one file only.');
  if (flags.fan !== undefined && flags.type === 'post')
    throw new CommandError('bad-flag', '--fan works with --type message only.');
  if (flags.fan !== undefined) checkFanLink(flags.fan);
  const ids = [...flags.guests, ...flags.partners, ...flags.tags];
  const bad = ids.filter((id) => !idShape.safeParse(id).success);
  if (bad.length > 0)
    throw new CommandError('bad-flag', `These are not ids: ${bad.join(', ')}. An id has up to 19 digits.`);
}

function wishesOf(
  { type, fan, guests, partners, tags, duration }: UploadFlags,
  fanId: FanId | null,
): ExportWishes {
  return { type: type ?? (fan === undefined ? 'post' : 'message'), fanId, guests, partners, tags, duration };
}
