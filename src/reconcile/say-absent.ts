import type { Executed } from '../apply/execute.ts';
import { reportOf } from '../apply/merge-reports.ts';
import type { Outcome } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import { creatingCommand } from '../domain/creating-command.ts';
import { formatAddress, type Declared } from '../domain/resource.ts';
import type { NewIds } from './block-second-create.ts';
import type { Inspection } from './source.ts';

function absentWords(command: string): string {
  return `Not created: the service did not answer twice, and the complete list, read after the waiting time, does not show it. Nothing is live under this name. Run ${command} again when the service answers.`;
}

/**
 * Says that a create without an answer had no effect, after no request for it can succeed any more and the plan of a
 * complete list would create it. Nothing is new under its name. It stays unknown: the service never confirmed that.
 * If its create was not sent, because an upload before it is unknown, it keeps its own message.
 */
export function sayAbsent(
  executed: Executed,
  { plan, knowledge, verdicts }: Inspection,
  { declared, newcomers }: { readonly declared: readonly Declared[]; readonly newcomers: NewIds },
): Executed {
  const sent = new Set(
    verdicts
      .filter(({ entry, conclusion }) => entry.call === 'create' && conclusion?.outcome === 'absent')
      .map(({ entry }) => formatAddress(entry.address)),
  );
  const inDoubt = new Set([
    ...newcomers.keys(),
    ...knowledge.open.map(({ address }) => formatAddress(address)),
  ]);
  const absent = new Set(
    plan.changes.filter(({ action }) => action === 'create').map(({ address }) => formatAddress(address)),
  );
  const commands = new Map(declared.map((one) => [formatAddress(one.address), creatingCommand(one)]));
  const outcomes = executed.report.outcomes.map((outcome): Outcome => {
    const key = formatAddress(outcome.address);
    const isLost = outcome.outcome === 'unknown' && outcome.action === 'create' && outcome.live_id === null;
    const isAbsent = sent.has(key) && absent.has(key) && !inDoubt.has(key);
    return isLost && isAbsent
      ? { ...outcome, message: absentWords(commands.get(key) ?? formatCommand('apply')) }
      : outcome;
  });
  return { ...executed, report: reportOf(outcomes) };
}
