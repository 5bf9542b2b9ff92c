import { defineCommand } from '../../cli/define-command.ts';
import { checkState } from '../../cli/state.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { joined, shown } from '../../domain/visible.ts';
import { renderDiagnostics } from '../../render/diagnostics.ts';
import { count } from '../../render/wording.ts';

/** Checks all services of the state for what no run looks at. */
export const check = defineCommand({
  path: 'state check',
  about: 'check the state for damage and old unconfirmed requests; exit 1 if a person must act',
  examples: ['herald state check', 'herald state check --format json'],
  needs: 'nothing',
  run: async (context) => {
    const report = await checkState(context);
    const { place, healthy, services, findings } = report;
    const rows = services.map(({ service, rows: number }) => `${count(number, 'row')} of ${service}`);
    const fine = findings.length === 0 ? 'No problems found.' : 'No person must act now.';
    const verdict = healthy ? fine : 'A person must act; see above.';
    const summary = shown`${place}: ${rows.length === 0 ? 'nothing is recorded yet' : rows.join(', ')}. ${verdict}`;
    return {
      exit: healthy ? EXIT.done : EXIT.failed,
      json: () => report,
      text: () => joined([renderDiagnostics(findings, context.output), summary], ''),
    };
  },
});
