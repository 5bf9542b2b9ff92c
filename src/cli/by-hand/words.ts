import type { ApplyReport, Change, Plan } from '../../domain/change.ts';
import type { Question } from '../../domain/ports.ts';
import type { Observed } from '../../domain/resource.ts';
import { servicePlace } from '../../domain/service-identity.ts';
import { quoted, shown, visible } from '../../domain/visible.ts';
import type { Answer } from '../../plan/by-hand/answer.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { plainQuestion, requireYes, typedQuestion } from '../question.ts';
import { isPlainStop } from '../resources/questions.ts';

/** One change by hand, for its messages. */
export interface ByHandChange {
  readonly answer: Answer;
  readonly change: Change;
  readonly plan: Pick<Plan, 'service'>;
  /** Null if it cannot be read. */
  readonly target: Observed | null;
}

/** How one change by hand ended. */
export interface Ended {
  readonly report: ApplyReport;
  readonly code: number;
}

/** The error if the change is refused, or null. */
export function refusalOf(told: ByHandChange): CommandError | null {
  const { answer, change, target } = told;
  if (answer.kind !== 'cannot' && answer.kind !== 'held') return null;
  return new CommandError(
    answer.kind,
    `Nothing was sent for ${whichOf(told)}. ${answer.reason}`,
    answer.hint,
    answer.kind === 'held' ? EXIT.blocked : EXIT.failed,
    { address: change.address, live_id: change.live_id, status: target?.live.status ?? null },
  );
}

/** The question before the change, with its one warning. */
export function questionOf(told: ByHandChange): Question {
  const { answer, change } = told;
  if (answer.kind !== 'go')
    return typedQuestion(shown`Finish an earlier change of ${whereOf(told)}?`, 'finish it');
  const verb = change.action.replace(/^./, (letter) => letter.toUpperCase());
  const text = visible(`${verb} ${whereOf(told)}? ${answer.mind}`.trimEnd());
  return isPlainStop(change) ? plainQuestion(text) : typedQuestion(text, `${change.action} it`);
}

/** `campaign "Welcome" (77) on account alice`. */
function whichOf({ change: { address, live_id: id }, target }: ByHandChange): string {
  const name = target === null ? address.name : (target.live.name ?? '');
  return `${address.kind} ${name === '' ? 'without a name' : quoted(name)} (${id ?? ''}) on account ${address.account}`;
}

/** The same, with the service. */
function whereOf(told: ByHandChange): string {
  return `${whichOf(told)} at ${visible(servicePlace(told.plan.service))}`;
}

/** What was stopped already is not told as stopped now. */
export function reportWithAnswer(report: ApplyReport, answer: Answer): ApplyReport {
  const words = answer.kind === 'go' ? answer.recorded : null;
  if (words === null) return report;
  const outcomes = report.outcomes.map((outcome) =>
    outcome.outcome === 'applied'
      ? { ...outcome, message: [words, outcome.message].join(' ').trim() }
      : outcome,
  );
  return { ...report, outcomes };
}

/** Asks before a change. Throws without a terminal, and for everything but a yes. */
export function askFor(context: Context, question: Question): Promise<void> {
  return requireYes(context, question, 'Nothing was changed.', 'Review the change, then add --yes.');
}
