import type { Context } from '../context.ts';
import { renderChecks } from '../../render/checks.ts';
import { renderJson } from '../../render/json.ts';
import type { DoctorReport } from '../schemas.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import type { Check } from './checks.ts';
import { nodeCheck, stateChecks, workspaceCheck } from './local.ts';
import { serviceChecks } from './service.ts';

/**
 * `herald doctor`: checks everything that Herald depends on, and prints how to fix each problem. It sends only reads,
 * and changes no file.
 */
export async function doctorCommand(context: Context): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const workspace = await workspaceCheck(context);
  const checks: readonly Check[] = [
    nodeCheck(context.nodeVersion),
    workspace.check,
    ...(await stateChecks(context)),
    ...(await serviceChecks(context, workspace)),
  ];
  context.output.progress('');
  const report = reportOf(checks);
  context.output.result(
    format === 'json' ? renderJson(report) : renderChecks(report.checks, report.summary, context.output),
  );
  return report.summary.fail > 0 ? EXIT.failed : EXIT.done;
}

function reportOf(checks: readonly Check[]): DoctorReport {
  const number = (status: Check['status']) => checks.filter((check) => check.status === status).length;
  return {
    schema: 'herald/doctor/1',
    checks: [...checks],
    summary: { ok: number('ok'), warn: number('warn'), fail: number('fail'), skip: number('skip') },
  };
}
