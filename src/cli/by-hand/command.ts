import { formatCommand } from '../../domain/command-line.ts';
import { type Kind, KIND_ROWS } from '../../domain/resource.ts';
import type { Result } from '../../engine/run.ts';
import { renderJson } from '../../render/json.ts';
import { renderApplyText } from '../../render/report-text.ts';
import { describeResults, type Again } from '../../render/results.ts';
import type { Context } from '../context.ts';
import { applyExit } from '../exit-of.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { startCommand } from './start.ts';
import { stopCommand } from './stop.ts';

/** One command line of `herald campaigns …` or `herald broadcasts …`. */
export interface TypedCommand {
  readonly kind: Kind;
  readonly action: 'activate' | 'resume' | 'pause' | 'archive' | 'recall';
  readonly typed: string;
  readonly account: string | undefined;
  readonly force: boolean;
  readonly again: boolean;
  readonly yes: boolean;
}

/**
 * `herald campaigns activate|pause|archive|recall ID` and `herald broadcasts pause|resume|recall ID`: changes by hand, with the
 * engine of apply. An address names an object as well as its id. It is shown first, recorded, resolved and verified.
 */
export async function byHandCommand(context: Context, command: TypedCommand): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const { action } = command;
  const results =
    action === 'activate' || action === 'resume'
      ? await startCommand(context, { ...command, action })
      : await stopCommand(context, { ...command, action });
  const report = describeResults(results, repeatByHand);
  context.output.result(format === 'json' ? renderJson(report) : renderApplyText(report, context.output));
  return applyExit(results, context.interrupted.aborted);
}

/** What to run to ask once more for the object of a result. */
function repeatByHand({ change: { address, action }, liveId }: Result): Again {
  const { kind, account, name } = address;
  const what = liveId === null ? [`${account}/${kind}/${name}`] : [liveId, '--account', account];
  return { command: formatCommand(KIND_ROWS[kind].plural, action, ...what), mayRepeat: true };
}
