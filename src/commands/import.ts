import { isUnread } from '../api/errors.ts';
import { listAccounts } from '../api/pages.ts';
import { findAlias } from '../cli/accounts.ts';
import type { Context } from '../cli/context.ts';
import { defineCommand } from '../cli/define-command.ts';
import { lockTimeoutFlag, switchFlag, textFlag, textsFlag } from '../cli/flags.ts';
import { warningLine } from '../cli/findings.ts';
import { formatCommand, formatPath } from '../domain/command-line.ts';
import { HeraldError, interruptedError } from '../domain/herald-error.ts';
import type { Files } from '../domain/ports.ts';
import { shown, visibleProse, type Visible } from '../domain/visible.ts';
import type { Run } from '../engine/run.ts';
import { draftUntilQuiet } from '../import/draft.ts';
import { findImportable, scanAccounts } from '../import/scan.ts';
import type { ImportReport } from '../import/shape.ts';
import { findUpdates } from '../import/update.ts';
import type { Opened } from '../library/connect.ts';
import { count } from '../render/wording.ts';
import { resolveInside } from '../workspace/text.ts';

/** New files are loaded and planned before they are written; a resource that would change is left out. */
export const importCommand = defineCommand({
  path: 'import',
  about: 'write files for what is live; sends only reads',
  examples: [
    'herald import',
    'herald import --account alice --out campaigns/alice',
    'herald import --update',
  ],
  flags: {
    account: textsFlag('--account <name>', 'alias or group (repeatable; default: all accounts)'),
    out: textFlag('--out <dir>', 'directory for new files (default: "campaigns/imported")'),
    update: switchFlag('--update', 'also update existing files from live; keeps comments and order'),
    lockTimeout: lockTimeoutFlag,
  },
  needs: 'workspace',
  run: async (context, { account, out = 'campaigns/imported', update, format }, opened) => {
    const directory = await readDirectory(context, out);
    // Only a job of CI writes a state on a git branch. It is read, and records nothing of the import.
    const isReadOnly = (await context.state.location()).kind === 'branch';
    const work = async (run: Run) => {
      const { report, settled } = await importLive(context, run, opened, { account, directory, update });
      const isKept = settled.files.length > 0 && report.not_read.length === 0;
      if (isKept && !isReadOnly) await settled.adopt(run.state);
      // Who imports one account, or changes in known ones, does not ask about others.
      if (account.length === 0 && !update) await nameOthers(context, run, opened);
      return report;
    };
    const report = isReadOnly
      ? await opened.withReadingRun(work)
      : await opened.withLeasedRun({ command: 'import' }, work);
    warn(context, report, { isText: format === 'text' });
    if (isReadOnly && report.imported > 0)
      context.output.say(
        shown`Only ${formatCommand('ci', 'apply')} writes the state on a git branch, so it does not have these resources yet. The first change of each of them needs --allow adopt.`,
      );
    return { json: () => ({ ...report }), text: () => drawImport(report) };
  },
});

interface Wishes {
  /** Aliases and groups. None: all accounts of the workspace. */
  readonly account: readonly string[];
  readonly directory: string;
  readonly update: boolean;
}

async function importLive(
  { env, files: all, output, interrupted }: Context,
  run: Run,
  opened: Opened,
  { account: names, directory: out, update }: Wishes,
) {
  const scan = await scanAccounts(run, opened, names);
  for (const why of opened.unseen.values()) output.say(shown`Left out: ${visibleProse(why)}`);
  const { files, refuseChanged } = watchFiles(all);
  const found = [findImportable(scan), ...(update ? [await findUpdates(files, scan)] : [])];
  const options = { env, media: opened.examineMedia };
  const settled = await draftUntilQuiet({ files, options, scan, out, mayChange: update }, found);
  // Reads cannot be cut short, but after a Ctrl-C nothing is written.
  if (interrupted.aborted) throw interruptedError('written');
  for (const file of settled.files) {
    await refuseChanged(file.path);
    await all.writeAtomically(file.path, file.text);
  }
  const included = await all.glob(opened.workspace.patterns);
  const notRead = settled.files.map(({ path }) => path).filter((path) => !included.includes(path));
  const report: ImportReport = { schema: 'herald/import/1', ...settled.report, not_read: notRead };
  return { report, settled };
}

/** Names accounts that the key sees and `herald.yaml` does not: nothing of them is imported. */
async function nameOthers({ output }: Context, { client }: Run, { workspace }: Opened): Promise<void> {
  const listed = await listAccounts(client).catch((error: unknown) => {
    if (isUnread(error)) return [];
    throw error;
  });
  const { primary } = workspace.service.platforms;
  const others = listed.filter(
    (one) => findAlias(workspace, one) === undefined && (one.platform == null || one.platform === primary),
  );
  if (others.length === 0) return;
  const names = others.map(({ id, username }) => `${username ?? 'without a username'} (${id})`);
  output.say(
    shown`Not in herald.yaml: ${names.join(', ')}\nTo import one too, add it to accounts: NAME: { id: "${others[0]?.id ?? ''}" }`,
  );
}

/** Directories of git and of the state. Some file systems treat `.GIT` the same, and `.git` may be nested. */
const KEPT_APART = /(?:^|\/)\.(?:git|herald)(?:\/|$)/i;

/** A link may lead out of the workspace, for example to shared files. Its owner decided that. */
async function readDirectory({ files }: Context, out: string): Promise<string> {
  const directory = resolveInside('', out);
  if (directory !== null && ![directory, await files.leadsTo(directory)].some((one) => KEPT_APART.test(one)))
    return directory;
  throw new HeraldError(
    'bad-flag',
    `--out ${out} is not a directory inside the workspace, or is inside .git or .herald. Nothing was written.`,
    'Use one such as --out campaigns/imported, with "/".',
  );
}

/** An import reads from the service for a while, and a person may edit the same files meanwhile. Knows how each was read first. */
function watchFiles(files: Files) {
  const texts = new Map<string, string>();
  const readText = async (path: string): Promise<string> => {
    const text = await files.readText(path);
    if (!texts.has(path)) texts.set(path, text);
    return text;
  };
  return {
    files: { ...files, readText },
    /** Throws if the file is not as it was read, so that nothing is written over the work of someone else. */
    refuseChanged: async (path: string) => {
      const before = texts.get(path);
      if (before === undefined || (await files.readText(path)) === before) return;
      throw new HeraldError(
        'stale-plan',
        `${path} changed while Herald was at work, so neither it nor the files after it were written.`,
        'Run the command again.',
      );
    },
  };
}

function drawImport({ files, imported, updated, left_out: leftOut }: ImportReport): readonly Visible[] {
  const rest =
    leftOut.length === 0 ? 'Your files declare everything that is live' : `${leftOut.length} left out`;
  if (files.length === 0) return [shown`Nothing to write. ${rest}.`];
  return [
    ...files.map(
      ({ path, action, resources }) =>
        shown`${action === 'created' ? '+' : '~'} ${formatPath(path)}  ${resources === 0 ? 'text' : count(resources, 'resource')}`,
    ),
    ...updated.map(
      ({ account, kind, name, fields }) => shown`  ${account}/${kind}/${name}: ${fields.join(', ')}`,
    ),
    shown`${imported} imported, ${updated.length} updated, ${leftOut.length} left out.`,
    shown`Next: ${formatCommand('plan')}`,
  ];
}

/** What needs a person. The JSON document has what was left out and what is to be completed. */
function warn({ output }: Context, report: ImportReport, { isText }: { readonly isText: boolean }): void {
  const { left_out: leftOut, to_complete: todo, not_read: notRead } = report;
  const lines = [
    ...leftOut.map(
      ({ account, kind, name, live_id: id, reason }) =>
        shown`Left out: ${account}/${kind}/${name ?? '(without a name)'} (${id}): ${visibleProse(reason)}`,
    ),
    ...todo.map(
      ({ file, account, kind, name, what }) =>
        shown`${file}: ${account}/${kind}/${name}: ${what} (marked TODO)`,
    ),
  ];
  if (isText) for (const line of lines) output.say(line);
  if (notRead.length === 0) return;
  const patterns = new Set(notRead.map((path) => `"${path.replace(/[^/]*$/, '*.yaml')}"`));
  output.say(
    warningLine(
      'files-not-included',
      shown`herald.yaml does not include ${notRead.join(', ')}. Add ${[...patterns].join(', ')} to its \`files:\`. The state does not have what was imported, so the first change of each needs --allow adopt.`,
    ),
  );
}
