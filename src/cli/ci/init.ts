import { initCi, type InitFlags, type InitReport } from '../../ci/init/init.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { joined, shown, type Visible } from '../../domain/visible.ts';
import { LEDGER_PATH } from '../../host/ledger-file.ts';
import { renderJson } from '../../render/json.ts';
import { VERSION } from '../../version.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';

/** `herald ci init`: writes the jobs for the CI of this repository, or updates what it wrote before. */
export async function ciInitCommand(context: Context, flags: InitFlags): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const { files, output } = context;
  const ports = { files, repository: context.repositoryFiles(), ledgerFile: LEDGER_PATH, version: VERSION };
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

function wordsOf({ did, path, settings, next }: InitReport): Visible {
  const kept = settings.database === null ? 'on the branch herald-state' : 'in the database';
  return joined(
    [
      shown`${DID[did]} ${path}. Pushes to ${settings.branch} are applied. The ledger is kept ${kept}.`,
      shown`Next:`,
      ...next.map(({ do: command, why }) => shown`  ${command}\n      ${why}`),
      shown`What each job does: ${formatCommand('ci', '--help')}`,
    ],
    '\n',
  );
}
