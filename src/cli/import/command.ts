import { EXIT } from '../../domain/exit-codes.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import type { Context } from '../context.ts';
import { resolveInside } from '../../workspace/text-files.ts';
import { compareLeftOut } from '../../import/left-out.ts';
import { renderJson } from '../../render/json.ts';
import { shown, visibleProse } from '../../domain/visible.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { adopt, filesNotRead } from '../../import/adopt.ts';
import { findImportable } from '../../import/find.ts';
import { explainNotRecorded, renderImport, sayAround } from './report.ts';
import { scanAccounts } from '../../import/scan.ts';
import { draftUntilQuiet, type UnchangedDraft } from '../../import/draft-until-quiet.ts';
import type { ImportReport } from '../../import/shape.ts';
import { findUpdates } from '../../import/updates.ts';
import { loadOptions } from '../../library/load-options.ts';
import { openFiles } from '../../library/open.ts';
import { createRun, whileReading } from '../../library/runs.ts';
import type { State } from '../../state/state.ts';
import { withLease } from '../accounts.ts';
import { workspacePorts } from '../engine-ports.ts';
import { watchFiles } from './unchanged-files.ts';

export interface ImportFlags {
  /** Aliases and groups. Empty means all accounts of the workspace. */
  readonly accounts: readonly string[];
  /** Directory for new files, inside the workspace. */
  readonly out: string;
  /** Also update existing files that differ from live. */
  readonly update: boolean;
}

/**
 * `herald import`: writes files for what is live. Sends only GETs. The new files are loaded and planned before they
 * are written. A resource that the plan would change is left out, with the reason.
 */
export async function importCommand(context: Context, flags: ImportFlags): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const out = await directoryOf(context, flags.out);
  const ports = workspacePorts(context);
  const opened = await openFiles(ports);
  // Only a job of CI writes a state on a git branch. It is read, and records nothing of the import.
  const isReadOnly = (await context.state.location()).kind === 'branch';
  const work = async (state: State): Promise<number> => {
    const run = createRun(ports, opened, { state, command: 'import' });
    const scan = await scanAccounts(run, opened, flags.accounts);
    for (const why of opened.unseen.values()) context.output.say(shown`Left out: ${visibleProse(why)}`);
    const found = findImportable(scan);
    const { env } = context;
    const { files, refuseChanged } = watchFiles(context.files);
    const updates = flags.update ? await findUpdates(files, env, scan) : { updates: [], leftOut: [] };
    const place = { files, out, mayChange: flags.update };
    const options = { env, media: opened.examineMedia };
    const checking = { files, options, scan, place };
    const settled = await draftUntilQuiet(checking, found.importables, updates.updates);
    // Reads cannot be cut short, but after a Ctrl-C nothing is written.
    if (context.interrupted.aborted) throw interrupted();
    for (const file of textsFirst(settled)) {
      await refuseChanged(file.path);
      await context.files.writeAtomically(file.path, file.text);
    }
    const notRead = await filesNotRead(context.files, loadOptions(ports), settled);
    const isRecorded = !isReadOnly && settled.files.length > 0 && notRead.length === 0;
    if (isRecorded) await adopt(state, settled);
    const leftOut = [...found.leftOut, ...updates.leftOut, ...settled.leftOut].toSorted(compareLeftOut);
    const report = reportOf(settled, leftOut, notRead);
    context.output.result(format === 'json' ? renderJson(report) : renderImport(report));
    sayAround(context, report, format);
    if (isReadOnly && settled.importables.length > 0) explainNotRecorded(context);
    return EXIT.done;
  };
  return isReadOnly
    ? whileReading(ports, opened, (_, state) => work(state))
    : withLease(context, opened, work);
}

/** Texts first: after a crash, a resource file without its text would break the workspace. */
function textsFirst({ files, resourceFiles }: UnchangedDraft): UnchangedDraft['files'] {
  const isResource = ({ path }: UnchangedDraft['files'][number]) => resourceFiles.includes(path);
  return [...files.filter((file) => !isResource(file)), ...files.filter(isResource)];
}

function interrupted(): HeraldError {
  return new HeraldError('interrupted', 'Interrupted. Nothing was written.', null, {
    exit: EXIT.interrupted,
  });
}

/** Directories of git and of the state. Some file systems treat `.GIT` the same, and `.git` may be nested. */
const KEPT_APART = /(?:^|\/)\.(?:git|herald)(?:\/|$)/i;

/** A link may lead out of the workspace, for example to shared files. Its owner decided that. */
async function directoryOf({ files }: Context, out: string): Promise<string> {
  const directory = resolveInside('', out);
  if (directory === null) throw badOut(`--out ${out} is not a directory inside the workspace.`);
  const apart = KEPT_APART.exec(directory) ?? KEPT_APART.exec(await files.leadsTo(directory));
  if (apart === null) return directory;
  const reserved = apart[0].replaceAll('/', '');
  throw badOut(
    `--out ${out} is inside ${reserved}, which Herald does not use for your files. Nothing was written.`,
  );
}

function badOut(message: string): HeraldError {
  return new HeraldError('bad-flag', message, 'Use one such as --out campaigns/imported, with "/".');
}

function reportOf(
  settled: UnchangedDraft,
  leftOut: ImportReport['left_out'],
  notRead: readonly string[],
): ImportReport {
  return {
    schema: 'herald/import/1',
    files: [...settled.written],
    imported: settled.importables.length,
    updated: [...settled.updated],
    to_complete: [...settled.toComplete],
    left_out: leftOut,
    not_read: [...notRead],
  };
}
