import { WRITING_KINDS } from '../domain/change-kinds.ts';
import { type Change, type Plan, type ReviewedChange, isPlanRefused, writes } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import { groupBy } from '../domain/group-by.ts';
import { KIND_ROWS, formatAddress } from '../domain/resource.ts';
import { servicePlace } from '../domain/service-identity.ts';
import { isRecalled, isStopped } from '../domain/status.ts';
import { shown } from '../domain/visible.ts';
import type { Look } from '../engine/look.ts';
import type { Result } from '../engine/run.ts';
import type { Opened } from '../library/connect.ts';
import { applyExit, type ApplyTerms, applyFiles } from '../library/runs.ts';
import { starts } from '../plan/decide/decision.ts';
import { indexRows, keyByAlias } from '../plan/facts.ts';
import { type Review } from '../plan/review.ts';
import { readDeclared } from '../render/entries.ts';
import { type NextCommands, renderApplyText } from '../render/report-text.ts';
import { type Again, describeResults } from '../render/results.ts';
import { CHANGE_WORDS, count } from '../render/wording.ts';
import type { Context } from './context.ts';
import { annotateFindings } from './findings.ts';
import { type Asked, requireYes } from './question.ts';
import { drawPlan, type PlanView } from './make-plan.ts';

export interface ApplyWishes extends Omit<ApplyTerms, 'agree'> {
  readonly expand?: boolean;
  /** What goes on after it: commands, or the job of a commit. */
  readonly next: NextCommands | Extract<Again, { kind: 'job' }>;
}

/** One apply: shows its plan, asks, carries it out, and draws what it came to, also for what was reviewed. */
export async function runApply(context: Context, opened: Opened, wishes: ApplyWishes) {
  const { expand = false, next, ...terms } = wishes;
  const [again, commands]: [Again, NextCommands | null] =
    'kind' in next ? [next, null] : [{ kind: 'apply', command: next.same }, next];
  const { reviewed, isAgreed } = terms;
  const declared = readDeclared(opened.declared);
  let done: readonly ReviewedChange[] | null = null;
  const results = await applyFiles(opened, {
    ...terms,
    agree: async (seen) => {
      const { review = null } = seen.facts;
      if (review !== null) done = findDone(review, seen);
      const wasShown = (isAgreed || reviewed !== undefined) && !expand;
      const view = { ...declared, expand, isAgreed: wasShown, isBeforeResult: true };
      return agreeToPlan(context, seen.plan, { view, yes: isAgreed });
    },
  });
  const found = describeResults(results, () => again);
  const report: typeof found = done === null ? found : { ...found, already_done: [...done] };
  const { colour, width } = context.output;
  const exit = applyExit(results, context.interrupted.aborted);
  return {
    exit,
    report,
    text: () => renderApplyText(report, { colour, width, zones: declared.zones }, commands),
    json: () => ({ ...report, exit }),
  };
}

/**
 * Reviewed changes with nothing left to do: what was to be made is as declared, and what was to be stopped is stopped. A fresh plan
 * that has nothing to do says less: a broadcast may have left before its pause, and a recall may have been refused.
 */
function findDone({ changes }: Review, { plan, facts }: Look): readonly ReviewedChange[] {
  const planned = groupBy(plan.changes, ({ address }) => formatAddress(address));
  const objects = new Map(facts.observed.map((one) => [keyByAlias(one, one.live.id), one]));
  const rowOf = indexRows(facts.known.objects);
  const isDone = (reviewed: Change) => {
    const { address, action, live_id: id } = reviewed;
    const now = planned.get(formatAddress(address)) ?? [];
    if (!now.every(isSettled)) return false;
    if (starts(reviewed)) return now.some((one) => one.action !== 'unmanaged');
    const object = objects.get(keyByAlias(address, id));
    if (object === undefined) return false;
    if (action === 'recall') return isRecalled(object.live) || rowOf(object)?.recalled === 1;
    // A broadcast that has begun to go out has no hour.
    return isStopped(object.live) && (object.kind === 'campaign' || object.live.scheduled_at != null);
  };
  return changes
    .filter(isDone)
    .map(({ address, action, fingerprint = '' }) => ({ address, action, fingerprint }));
}

function isSettled({ action, needs }: Change): boolean {
  return (action === 'keep' || action === 'done' || action === 'unmanaged') && needs.length === 0;
}

interface Agreeing {
  readonly view: PlanView;
  readonly yes: boolean;
  /** Left out: what is asked before an apply. `isShort` left out: if each change can be undone, and only stops something. */
  readonly ask?: (plan: Plan) => Asked;
}

/**
 * Shows a plan, on stderr: the result of an apply is the outcome of each change. Then asks. Throws if the plan is refused, and for
 * everything but a yes. `waited` means that a person took time to answer.
 */
export async function agreeToPlan(
  context: Context,
  plan: Plan,
  { view, yes, ask = askToApply }: Agreeing,
): Promise<'at-once' | 'waited'> {
  context.output.say(drawPlan(context, plan, view).text());
  if (isPlanRefused(plan)) await annotateFindings(context, plan.diagnostics);
  // The apply ends with the reasons of a plan that is refused.
  if (yes || isPlanRefused(plan) || !plan.changes.some(writes)) return 'at-once';
  const { isShort = true, ...asked } = ask(plan);
  const question = { ...asked, isShort: isShort && plan.changes.filter(writes).every(isPlainStop) };
  await requireYes(context, question, 'Nothing was changed.', 'Review the plan, then add --yes.');
  return 'waited';
}

/** Numbers, service, and the number of changes that cannot be undone. */
function askToApply({ summary, changes, service }: Plan): Asked {
  const counts = WRITING_KINDS.filter((kind) => summary[kind] > 0).map(
    (kind) => `${summary[kind]} ${CHANGE_WORDS[kind].counted}`,
  );
  const writing = changes.filter(writes);
  const accounts = new Set(writing.map(({ address }) => address.account)).size;
  const where = accounts === 0 ? '' : ` on ${count(accounts, 'account')}`;
  const final = changes.filter(({ reversible }) => !reversible).length;
  const warning = final === 0 ? '' : ` ${final} of them cannot be undone.`;
  const text = shown`Apply ${counts.join(', ')}${where} at ${servicePlace(service)}?${warning}`;
  const number = writing.length;
  const to = `apply ${count(number, 'change')}`;
  return { text, to, wanted: String(number), isShort: accounts === 1 };
}

/** What only stops something and can be undone. */
function isPlainStop({ action, reversible }: Change): boolean {
  return reversible && (action === 'pause' || action === 'archive' || action === 'retire');
}

/**
 * What a change by hand came to, for each format. To ask once more, a person repeats `command`; left out, the one for the object of a
 * result, with these flags.
 */
export function reportByHand(
  { output, interrupted }: Context,
  results: readonly Result[],
  { command, flags = [] }: { readonly command?: string; readonly flags?: readonly string[] } = {},
) {
  const report = describeResults(results, (result) =>
    command === undefined ? repeatByHand(result, flags) : { kind: 'by-hand', command },
  );
  const exit = applyExit(results, interrupted.aborted);
  return { exit, json: () => ({ ...report, exit }), text: () => renderApplyText(report, output) };
}

function repeatByHand({ change: { address, action }, liveId }: Result, flags: readonly string[]): Again {
  const { kind, account, name } = address;
  const what = liveId === null ? [`${account}/${kind}/${name}`] : [liveId, '--account', account];
  return {
    kind: 'by-hand',
    command: formatCommand(KIND_ROWS[kind].plural, action, ...what, ...flags),
    mayRepeat: true,
  };
}
