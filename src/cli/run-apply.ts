import { WRITING_KINDS } from '../domain/change-kinds.ts';
import { type ApplyReport, type Plan, type ReviewedChange, isPlanRefused, writes } from '../domain/change.ts';
import type { ExitCode } from '../domain/exit-codes.ts';
import type { Question } from '../domain/ports.ts';
import { servicePlace } from '../domain/service-identity.ts';
import { shown } from '../domain/visible.ts';
import { planRefused } from '../engine/apply.ts';
import type { Look } from '../engine/look.ts';
import type { Opened } from '../library/open.ts';
import { type ApplyTerms, applyFiles } from '../library/runs.ts';
import { findDone } from '../plan/review.ts';
import type { Again } from '../render/summary.ts';
import { renderApplyText } from '../render/report-text.ts';
import { describeResults } from '../render/results.ts';
import { count } from '../render/wording.ts';
import type { Context } from './context.ts';
import { applyExit } from './exit-of.ts';
import { drawPlanText, listZones } from './plan-output.ts';
import { isPlainStop, plainQuestion, requireYes, typedQuestion } from './question.ts';

/** One apply of the files, as a command asks for it. */
export interface ApplyWishes extends Omit<ApplyTerms, 'agree'> {
  /** Shows each change on its own. */
  readonly expand?: boolean;
  /** May refuse the plan before it is shown. */
  readonly check?: (seen: Look) => void;
  /** The commands that go on after it. Left out where a job goes on. */
  readonly next?: Again;
}

/** One apply: shows its plan, asks, carries it out, and draws what it came to, also for what was reviewed. */
export async function runApply(context: Context, opened: Opened, wishes: ApplyWishes) {
  const { expand = false, check, next = null, ...terms } = wishes;
  const { reviewed, isAgreed } = terms;
  let done: readonly ReviewedChange[] | null = null;
  const results = await applyFiles(opened, {
    ...terms,
    agree: async (seen) => {
      const { review = null } = seen.facts;
      if (review !== null) done = findDone(review, seen.plan);
      check?.(seen);
      const wasShown = (isAgreed || reviewed !== undefined) && !expand;
      showPlan(context, seen, { expand, isAgreed: wasShown });
      return isAgreed ? 'at-once' : askFor(context, seen, askToApply);
    },
  });
  const found = describeResults(results);
  const report: ApplyReport = done === null ? found : { ...found, already_done: [...done] };
  const { colour, width } = context.output;
  const exit: ExitCode = applyExit(results, context.interrupted.aborted);
  return {
    exit,
    report,
    text: () => renderApplyText(report, { colour, width, zones: listZones(opened.declared) }, next),
    json: () => ({ ...report }),
  };
}

/** Shows a plan before it is carried out, on stderr: the result of an apply is the outcome of each change. Throws if it is refused. */
export function showPlan(
  context: Context,
  { plan, facts: { declared } }: Look,
  view: { readonly expand?: boolean; readonly isAgreed?: boolean } = {},
): void {
  context.output.say(drawPlanText(context, plan, { ...view, declared, isBeforeResult: true }));
  if (isPlanRefused(plan)) throw planRefused(plan);
}

/** Asks before a plan is carried out. `waited` means that a person took time to answer. */
export async function askFor(
  context: Context,
  { plan }: Look,
  ask: (plan: Plan) => Question,
): Promise<'at-once' | 'waited'> {
  if (!plan.changes.some(writes)) return 'at-once';
  await requireYes(context, ask(plan), 'Nothing was changed.', 'Review the plan, then add --yes.');
  return 'waited';
}

/** The question before an apply: numbers, service, and the number of changes that cannot be undone. */
export function askToApply({ summary, changes, service }: Plan): Question {
  const counts = WRITING_KINDS.filter((kind) => summary[kind] > 0).map(
    (kind) => `${summary[kind]} to ${kind}`,
  );
  const writing = changes.filter(writes);
  const accounts = new Set(writing.map(({ address }) => address.account)).size;
  const where = accounts === 0 ? '' : ` on ${count(accounts, 'account')}`;
  const final = changes.filter(({ reversible }) => !reversible).length;
  const warning = final === 0 ? '' : ` ${final} of them cannot be undone.`;
  const text = shown`Apply ${counts.join(', ')}${where} at ${servicePlace(service)}?${warning}`;
  if (accounts === 1 && writing.every(isPlainStop)) return plainQuestion(text);
  return typedQuestion(text, `apply ${count(writing.length, 'change')}`, String(writing.length));
}
