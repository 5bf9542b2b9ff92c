import { defineCommand } from '../../cli/define-command.ts';
import type { StateCheck } from '../../cli/schemas.ts';
import { formatCommand } from '../../domain/command-line.ts';
import type { Diagnostic } from '../../domain/diagnostic.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { findWorldFile } from '../../domain/service-identity.ts';
import { joined, shown, quoted } from '../../domain/visible.ts';
import { FindingList } from '../../render/diagnostics.ts';
import { count } from '../../render/wording.ts';
import type { State, StateReport as Found } from '../../state/state.ts';
import { describeUnconfirmed } from './show.ts';

export const check = defineCommand({
  path: 'state check',
  about: 'check the state for damage and old unconfirmed requests; exit 1 if a person must act',
  examples: ['herald state check', 'herald state check --format json'],
  needs: 'record',
  run: async (context, _given, state) => {
    const report = await checkState(state, context.clock.now());
    const { place, healthy, services, findings } = report;
    const rows = services.map(({ service, rows: number }) => `${count(number, 'row')} of ${service}`);
    const fine = findings.length === 0 ? 'No problems found.' : 'No person must act now.';
    const verdict = healthy ? fine : 'A person must act; see above.';
    const summary = shown`${place}: ${rows.length === 0 ? 'nothing is recorded yet' : rows.join(', ')}. ${verdict}`;
    return {
      exit: healthy ? EXIT.done : EXIT.failed,
      json: () => report,
      text: () => joined([new FindingList(findings).drawLines(context.output), summary], ''),
    };
  },
});

/** What a person has to know of the state, whichever service its rows are of. */
export async function checkState(state: State, nowMs: number): Promise<StateCheck> {
  const report = await state.check();
  const findings = listFindings(report, nowMs);
  return {
    schema: 'herald/state-check/1',
    healthy: !findings.some(({ severity }) => severity === 'error'),
    place: state.name,
    services: [...report.services],
    findings,
  };
}

/** An apply finds out about a request that is younger. */
const DAY_MS = 86_400_000;

function listFindings({ damage, unconfirmed, same_names: names }: Found, nowMs: number): Diagnostic[] {
  return [
    ...damage.map((words): Diagnostic => ({
      severity: 'error',
      code: 'state-damaged',
      message: `The database is damaged: ${words}. Do not apply with it. Move the file away, and restore a backup or import an export: ${formatCommand('state', 'import', 'FILE')}. Without one, the next run waits before it starts anything, and needs --allow adopt for what is live.`,
    })),
    ...unconfirmed.map((row): Diagnostic => {
      const { what, sent_at: at, advice } = describeUnconfirmed(row);
      const isSimulated = findWorldFile(row.service) !== null;
      const where = isSimulated ? ` on ${row.service}` : '';
      const isOld = nowMs - row.sent_at > DAY_MS;
      return {
        severity: !isOld ? 'info' : isSimulated ? 'warning' : 'error',
        code: 'state-unconfirmed',
        message: `${what}${where}, sent at ${at}, ${isOld ? 'has been unconfirmed for more than a day' : 'is unconfirmed'}. ${advice}`,
      };
    }),
    ...names.map(({ service, account_id: id, kind, name, objects }): Diagnostic => ({
      severity: 'warning',
      code: 'state-same-name',
      message: `${objects} running ${kind}s of account ${id} on ${service} have the name ${quoted(name)}. ${formatCommand('plan')} shows which of them an apply stops.`,
    })),
  ];
}
