import type { Context } from '../context.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { joined, shown, visibleLines } from '../../domain/visible.ts';
import { scaffoldWorkspace } from '../../workspace/scaffold.ts';
import { renderJson } from '../../render/json.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { schemaFiles } from '../schemas.ts';

/** Late enough that the example can be applied, early enough to look real. */
const BROADCAST_DAYS_AHEAD = 14;
const DAY_MS = 86_400_000;

/** Files that a repository may already have. Their lines are printed instead. */
const GIT_FILES: readonly string[] = ['.gitignore', '.gitattributes'];

const next = () =>
  shown`Next: ${formatCommand('validate')}, ${formatCommand('plan')}, ${formatCommand('apply')}.\nherald.yaml names the embedded simulator, so nothing leaves this machine.`;

/** `herald init`: writes an example workspace that uses the embedded simulator. It never overwrites a file. */
export async function initCommand(context: Context): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const day = new Date(context.clock.now() + BROADCAST_DAYS_AHEAD * DAY_MS).toISOString().slice(0, 10);
  const taken: string[] = [];
  const files = [...scaffoldWorkspace({ broadcastDayUtc: day }), ...schemaFiles()];
  for (const { path } of files) if (await context.files.exists(path)) taken.push(path);
  if (taken.some((path) => !GIT_FILES.includes(path)))
    throw new CommandError(
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
      : joined([shown`Wrote:`, ...paths.map((path) => shown`  ${path}`), next()], '\n'),
  );
  return EXIT.done;
}
