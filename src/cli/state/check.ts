import { formatCommand } from '../../domain/command-line.ts';
import type { Diagnostic } from '../../domain/diagnostic.ts';
import type { StateCheck } from '../schemas.ts';
import { worldFileOf } from '../../domain/service-identity.ts';
import { joined, quoted, shown } from '../../domain/visible.ts';
import { LIVE, withState } from '../../library/state-access.ts';
import { renderDiagnostics } from '../../render/diagnostics.ts';
import { renderJson } from '../../render/json.ts';
import { count } from '../../render/wording.ts';
import type { StateReport } from '../../state/check.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { describeUnconfirmed } from './unconfirmed.ts';

/** `herald state check`: checks all services of the state for what no run looks at. Changes nothing. */
export async function stateCheckCommand(context: Context): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const check = await checkState(context);
  const { place, healthy, services, findings } = check;
  const rows = services.map(({ service, rows: number }) => `${count(number, 'row')} of ${service}`);
  const verdict = healthy ? 'No problems found.' : 'A person must act; see above.';
  const words = joined(
    [
      renderDiagnostics(findings, context.output),
      shown`${place}: ${rows.length === 0 ? 'nothing is recorded yet' : rows.join(', ')}. ${verdict}\n`,
    ],
    '',
  );
  context.output.result(format === 'json' ? renderJson(check) : words);
  return healthy ? EXIT.done : EXIT.failed;
}

/** Reads the whole state, whichever service its rows are of. */
export function checkState({ state: access }: Pick<Context, 'state'>): Promise<StateCheck> {
  return withState(
    access.read(() => LIVE),
    async (state) => {
      const report = await state.check();
      const findings = listFindings(report);
      return {
        schema: 'herald/state-check/1',
        healthy: !findings.some(({ severity }) => severity === 'error'),
        place: state.name,
        services: [...report.services],
        findings,
      };
    },
  );
}

function listFindings({ damage, strays, unconfirmed, same_names: names }: StateReport): Diagnostic[] {
  return [
    ...damage.map((words) =>
      find(
        'error',
        'state-damaged',
        `The database is damaged: ${words}. Do not apply with it. Move the file away, and restore a backup or import an export: ${formatCommand('state', 'import', 'FILE')}. Without one, the next run waits before it starts anything, and needs --allow adopt for what is live.`,
      ),
    ),
    ...unconfirmed.map((row) => {
      const { what, sent_at: at, advice } = describeUnconfirmed(row);
      const isSimulated = worldFileOf(row.service) !== null;
      const where = isSimulated ? ` on ${row.service}` : '';
      return find(
        isSimulated ? 'warning' : 'error',
        'state-unconfirmed',
        `${what}${where}, sent at ${at}, has been unconfirmed for more than a day. ${advice}`,
      );
    }),
    ...names.map(({ service, account_id: id, kind, name, objects }) =>
      find(
        'warning',
        'state-same-name',
        `${objects} running ${kind}s of account ${id} on ${service} have the name ${quoted(name)}. ${formatCommand('plan')} shows which of them an apply stops.`,
      ),
    ),
    ...strays.map(({ workspace, rows }) =>
      find(
        'warning',
        'state-strays',
        `${count(rows, 'row')} of the workspace ${quoted(workspace)}, which this database does not have. They are not used. If that workspace is needed, restore it from a backup.`,
      ),
    ),
  ];
}

function find(severity: Diagnostic['severity'], code: Diagnostic['code'], message: string): Diagnostic {
  return { severity, code, message };
}
