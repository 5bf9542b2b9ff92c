import type { Context } from '../context.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { joined, shown, visibleLines, type Visible } from '../../domain/visible.ts';
import { Report } from '../../workspace/findings.ts';
import { scaffoldWorkspace, type ScaffoldFile } from '../../workspace/scaffold.ts';
import { readWorkspace } from '../../workspace/workspace.ts';
import { renderJson } from '../../render/json.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { schemaFiles } from '../schemas.ts';
import { HeraldError } from '../../domain/herald-error.ts';

/** Late enough that the example can be applied, early enough to look real. */
const BROADCAST_DAYS_AHEAD = 14;
const DAY_MS = 86_400_000;

/** A repository may already have it. Its lines are printed instead. */
const GIT_FILES: readonly string[] = ['.gitignore'];

const next = () =>
  shown`Next: ${formatCommand('validate')}, ${formatCommand('plan')}, ${formatCommand('apply')}.\nherald.yaml names the embedded simulator, so nothing leaves this machine.`;

export interface InitFlags {
  /** Address of a real service. */
  readonly service: string | undefined;
}

/**
 * `herald init`: writes an example workspace that uses the embedded simulator, or one without samples for a real service.
 * It never overwrites a file.
 */
export async function initCommand(context: Context, { service }: InitFlags): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const day = new Date(context.clock.now() + BROADCAST_DAYS_AHEAD * DAY_MS).toISOString().slice(0, 10);
  const taken: string[] = [];
  const scaffold = scaffoldWorkspace({ broadcastDayUtc: day, service });
  refuseAddress(scaffold, context);
  const files = [...scaffold, ...schemaFiles()];
  for (const { path } of files) if (await context.files.exists(path)) taken.push(path);
  if (taken.some((path) => !GIT_FILES.includes(path)))
    throw new HeraldError(
      'files-exist',
      `Nothing was written, because these files exist: ${taken.join(', ')}.`,
      `Use an empty directory, such as: ${formatCommand('init', 'my-agency')}`,
    );
  const written = files.filter(({ path }) => !taken.includes(path));
  for (const { path, text } of written) await context.files.writeAtomically(path, text);
  for (const { path, text } of files)
    if (taken.includes(path))
      context.output.say(joined([shown`${path} was not changed. Add to it:`, ...visibleLines(text)], '\n'));
  const paths = written.map(({ path }) => path);
  context.output.result(
    format === 'json'
      ? renderJson({ schema: 'herald/item/1', item: { written: paths, left: taken } })
      : joined(
          [
            shown`Wrote:`,
            ...paths.map((path) => shown`  ${path}`),
            service === undefined ? next() : nextAtService(service),
          ],
          '\n',
        ),
  );
  return EXIT.done;
}

function nextAtService(service: string): Visible {
  const [trust, list] = [formatCommand('trust', service), formatCommand('accounts', 'list')];
  return shown`Next: set HERALD_API_KEY, run ${trust}, and add the accounts of ${list} to herald.yaml.\nThen: ${formatCommand('import')}, which writes files for what is live.`;
}

/** An address that no command could use would be found later, in a file that is written. */
function refuseAddress(scaffold: readonly ScaffoldFile[], { env }: Context): void {
  const report = new Report();
  for (const { path, text } of scaffold) if (path === 'herald.yaml') readWorkspace(path, text, env, report);
  const [problem] = report.sorted().filter(({ severity }) => severity === 'error');
  if (problem === undefined) return;
  const example = formatCommand('init', '--service', 'https://api.example.com');
  throw new HeraldError(
    'bad-flag',
    `--service: ${problem.message} Nothing was written.`,
    `For example: ${example}`,
  );
}
