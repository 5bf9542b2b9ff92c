import { initCi, type InitFlags, type InitReport } from '../../ci/init/init.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { joined, shown, type Visible } from '../../domain/visible.ts';
import { renderJson } from '../../render/json.ts';
import { VERSION } from '../../version.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';

/** `herald ci init`: writes the jobs for the CI of this repository, or updates what it wrote before. */
export async function ciInitCommand(context: Context, flags: InitFlags): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const { files, output } = context;
  const ports = { files, repository: context.repositoryFiles(), version: VERSION };
  const report = await initCi(ports, flags);
  const { provider, path, did, next } = report;
  output.result(
    format === 'json'
      ? renderJson({ schema: 'herald/item/1', item: { provider, path, changed: did !== 'nothing', next } })
      : wordsOf(report),
  );
  return report.isSimulated ? EXIT.blocked : EXIT.done;
}

const DID = { wrote: 'Wrote', updated: 'Updated', nothing: 'Nothing to change in' } as const;

const WHERE = {
  files: 'The state still needs a place that outlives a job; see below.',
  branch: 'The state is kept on a branch.',
  postgres: 'The state is kept in the database.',
  unknown: '',
} as const;

function wordsOf({ did, path, settings, state, next }: InitReport): Visible {
  return joined(
    [
      shown`${DID[did]} ${path}. Pushes to ${settings.branch} are applied. ${WHERE[state.kind]}`,
      shown`Next:`,
      ...next.map(({ do: command, why }) => shown`  ${command}\n      ${why}`),
      shown`What each job does: ${formatCommand('ci', '--help')}`,
    ],
    '\n',
  );
}
