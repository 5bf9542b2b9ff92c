import { formatCommand } from '../../domain/command-line.ts';
import type { Diagnostic } from '../../domain/diagnostic.ts';
import { joined, shown } from '../../domain/visible.ts';
import { parseLine } from '../../ledger/parse.ts';
import { renderDiagnostics } from '../../render/diagnostics.ts';
import { count } from '../../render/wording.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { openState } from './open.ts';
import { reportState } from './report.ts';

/**
 * `herald state check`: whether the ledger and the lease can be used from here, and to what extent. Changes nothing.
 * Exit 1 if something needs repair.
 */
export async function stateCheckCommand(context: Context): Promise<number> {
  // Rejects where the ledger must not be used.
  await (await context.state.ledger.open()).close();
  return openState(context, async ({ state, postgres }) => {
    const findings = [...((await postgres?.inspect()) ?? []), ...(await unreadableIn(context))];
    const isGood = !findings.some(({ severity }) => severity === 'error');
    const verdict = isGood
      ? shown`${state.ledger.name} can be used.\n`
      : shown`${state.ledger.name} needs manual repair; see above.\n`;
    await reportState(context, state, {
      findings,
      words: joined([renderDiagnostics(findings, context.output), verdict], ''),
    });
    return isGood ? EXIT.done : EXIT.failed;
  });
}

async function unreadableIn({ state: { ledger } }: Context): Promise<readonly Diagnostic[]> {
  let lines = 0;
  for await (const page of ledger.transfer.lines())
    lines += page.filter((line) => parseLine(line) === null).length;
  if (lines === 0) return [];
  const message = `${count(lines, 'line')} cannot be read. To see each, and how to fix it: ${formatCommand('ledger', 'check')}`;
  return [{ severity: 'error', code: 'ledger-damaged', message }];
}
