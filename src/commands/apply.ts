import { readCircumstances } from '../cli/circumstances.ts';
import type { Context } from '../cli/context.ts';
import { type Reports, defineCommand } from '../cli/define-command.ts';
import { applyExit } from '../cli/exit-of.ts';
import {
  type ValuesOf,
  allowFlag,
  lockTimeoutFlag,
  optionalWord,
  parsedFlag,
  textFlag,
  yesFlag,
} from '../cli/flags.ts';
import {
  expandFlag,
  readAllowances,
  readTargets,
  refuseUnmatched,
  repeatFlags,
  targetFlags,
} from '../cli/plan-flags.ts';
import { drawPlanText, listZones } from '../cli/plan-output.ts';
import { isPlainStop, plainQuestion, requireYes, typedQuestion } from '../cli/question.ts';
import { runPorts } from '../cli/engine-ports.ts';
import { nameSavedPlan, readPlanToApply } from '../cli/saved-plan.ts';
import { WRITING_KINDS } from '../domain/change-kinds.ts';
import {
  type ApplyReport,
  type Change,
  type Outcome,
  type Plan,
  type ReviewedChange,
  isPlanRefused,
  writes,
} from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import { EXIT, type ExitCode } from '../domain/exit-codes.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { Question } from '../domain/ports.ts';
import { formatAddress } from '../domain/resource.ts';
import { servicePlace } from '../domain/service-identity.ts';
import { page, shown, type Visible, visible } from '../domain/visible.ts';
import { planRefused } from '../engine/apply.ts';
import type { Look } from '../engine/look.ts';
import { describeLook } from '../library/describe-look.ts';
import type { Opened } from '../library/open.ts';
import { type FilesApply, applyFiles, refuseElsewhere } from '../library/runs.ts';
import type { LeaseWait } from '../library/state-access.ts';
import { type NotAsReviewed, type Review, compareReviewed, findDone, reviewPlan } from '../plan/review.ts';
import { type SavedPlan, agePast } from '../plan/saved.ts';
import type { Again } from '../render/next-steps.ts';
import { drawDifferences } from '../render/difference.ts';
import { drawLine, span, type TextStyle } from '../render/spans.ts';
import { renderApplyText } from '../render/report-text.ts';
import { describeResults } from '../render/results.ts';
import { CHANGE_WORDS, count } from '../render/wording.ts';
import { InvalidArgumentError } from 'commander';

const HOUR_MS = 3_600_000;

/** Of a saved plan that is applied exactly. */
const PLAN_AGE_MAX_HOURS = 24;

const words = { plan: optionalWord('PLAN') };
const flags = {
  ...targetFlags,
  expand: expandFlag,
  yes: yesFlag,
  allow: allowFlag,
  reviewed: textFlag('--reviewed <plan>', 'plan now, and apply only the changes that this saved plan has'),
  expect: parsedFlag('--expect <digest>', 'refuse a saved plan with another digest', parseDigest),
  maxPlanAge: parsedFlag(
    '--max-plan-age <hours>',
    'refuse a saved plan older than this (default: 24; none with --reviewed)',
    parseHours,
  ),
  lockTimeout: lockTimeoutFlag,
};

type Given = ValuesOf<typeof flags & typeof words>;

/** Plans, asks, applies and verifies. */
export const apply = defineCommand({
  path: 'apply',
  about: 'apply a saved plan, or plan and apply now',
  examples: [
    'herald apply',
    'herald apply plan.json --yes',
    'herald apply plan.json --expect sha256:3f1c5a0e9b27',
    'herald apply --allow adopt',
    'herald apply --reviewed plan.json --yes',
    "herald apply --target 'alice/*' --exclude 'alice/broadcast'",
  ],
  words,
  flags,
  needs: 'workspace',
  run: async (context, given, opened) => {
    const { plan: file, reviewed } = given;
    const limited =
      reviewed !== undefined
        ? await limitToReview(context, given, opened, reviewed)
        : file !== undefined
          ? await limitToPlan(context, given, opened, file)
          : planNow(given, opened);
    const { expand, yes } = given;
    const question = yes ? null : askToApply;
    const { report, exit } = await runApply(context, opened, { ...limited, expand, question, wait: {} });
    return { ...drawApply(context, opened, report, nameNext(given)), exit };
  },
});

type Limited = Pick<ApplyTerms, 'limits' | 'reviewed' | 'check'>;

function planNow({ expect, allow, ...given }: Given, { workspace }: Opened): Limited {
  if (expect !== undefined)
    throw new HeraldError(
      'bad-flag',
      'No plan given: --expect checks the digest of a saved plan.',
      `Use: ${formatCommand('apply', 'plan.json', '--expect', expect)}`,
    );
  const targeting = readTargets(given, workspace);
  return {
    limits: {
      allow: readAllowances(allow, workspace.allow),
      targeting,
      named: { what: 'The plan is stale', hint: `Run ${formatCommand('apply')} again.` },
    },
    check: (seen) => refuseUnmatched(targeting, seen),
  };
}

/** Applies exactly a saved plan, with the allowances and targets that it was reviewed with. */
async function limitToPlan(
  context: Context,
  { allow, target, exclude, expect, maxPlanAge = PLAN_AGE_MAX_HOURS }: Given,
  opened: Opened,
  file: string,
): Promise<Limited> {
  const saved = await readPlanToApply(context, file, expect);
  const [given] = Object.entries({ allow, target, exclude }).find(([, values]) => values.length > 0) ?? [];
  if (given !== undefined)
    throw new HeraldError(
      'bad-flag',
      `A saved plan has its own ${given === 'allow' ? 'allowances' : 'targets'}. Use --${given} with ${formatCommand('plan')} instead.`,
    );
  return {
    limits: {
      allow: new Set(saved.allow),
      targeting: readTargets(saved, opened.workspace),
      saved,
      named: nameSavedPlan(file, saved, opened),
      maxAgeMs: maxPlanAge * HOUR_MS,
    },
  };
}

/** Plans now, with the targets of the review and the allowances of this run, and applies what was reviewed. */
async function limitToReview(
  context: Context,
  { plan, allow, target, exclude, expect, maxPlanAge }: Given,
  opened: Opened,
  file: string,
): Promise<Limited> {
  if (plan !== undefined)
    throw new HeraldError(
      'bad-flag',
      'Two plans given. PLAN applies exactly that plan or nothing; --reviewed plans again and applies what was reviewed.',
      `Use one of them: ${formatCommand('apply', '--reviewed', file)}`,
    );
  if (target.length > 0 || exclude.length > 0)
    throw new HeraldError(
      'bad-flag',
      `A reviewed plan has its own targets. Use --target and --exclude with ${formatCommand('plan')} instead.`,
    );
  const saved = await readPlanToApply(context, file, expect);
  // A review has no age by itself, because its fingerprints show what is still as reviewed.
  const refuseAge = (nowMs: number) => {
    if (maxPlanAge !== undefined) refuseOld(file, saved, { nowMs, maxAgeMs: maxPlanAge * HOUR_MS });
  };
  // This machine's clock may be behind, so the service's is asked, too. A plan that is too old by this one needs no request.
  refuseAge(Math.max(context.clock.now(), Date.parse(saved.created_at) || 0));
  const { workspace } = opened;
  const named = nameSavedPlan(file, saved, opened);
  refuseElsewhere(saved, workspace.service.identity, { named, remotes: context.remotes() });
  const review = reviewPlan(saved.plan);
  return {
    limits: {
      allow: readAllowances(allow, workspace.allow),
      targeting: readTargets(saved, workspace),
      permissions: () => Promise.resolve({ review }),
      named,
    },
    reviewed: { review, plans: [saved.plan], allow },
    // The latest time that it can be, so the older age counts.
    check: ({ facts }) => refuseAge(facts.time.latestMs),
  };
}

function refuseOld(file: string, saved: SavedPlan, limit: Parameters<typeof agePast>[1]): void {
  const age = agePast(saved, limit);
  if (age === null) return;
  const problem = `The plan in ${file} is stale, so nothing was changed: ${age}.`;
  throw new HeraldError('stale-plan', problem, makeAnother(file), { exit: EXIT.blocked });
}

function makeAnother(file: string): string {
  return `Make a new plan and review it: ${formatCommand('plan', '--out', file)}`;
}

/** The commands that go on after this apply. If the plan was reviewed, the next one is reviewed as well. */
function nameNext({ plan, reviewed, allow, target, exclude }: Given): Again {
  const file = plan ?? reviewed;
  if (file === undefined) {
    const same = formatCommand('apply', ...repeatFlags({ allow, target, exclude }));
    return { command: formatCommand('apply'), same };
  }
  const command = formatCommand('plan', '--out', file);
  return { command, same: command };
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

/** Reads the hex characters of a digest, or the first ones. */
function parseDigest(text: string): string {
  const hex = /^(?:sha256:)?([0-9a-f]{12,64})$/i.exec(text)?.[1];
  if (hex === undefined)
    throw new InvalidArgumentError(
      'Give the digest that herald plan --out printed, or at least its first 12 hex characters.',
    );
  return hex.toLowerCase();
}

function parseHours(text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new InvalidArgumentError('Give a number of hours above 0.');
  return number;
}

/** How one apply is limited, and how people agree to it. */
export interface ApplyTerms {
  readonly limits: Omit<FilesApply, 'isAgreed' | 'remotes' | 'show' | 'ask'>;
  /** What was reviewed, the plans that it is from, and the values of `--allow`. Left out: nothing was reviewed. */
  readonly reviewed?: {
    readonly review: Review;
    readonly plans: readonly Plan[];
    readonly allow: readonly string[];
  };
  /** Shows each change on its own. */
  readonly expand: boolean;
  /** May refuse the plan before it is shown. */
  readonly check?: (seen: Look) => void;
  /** The question before anything is sent. Null if people agreed before. */
  readonly question: ((plan: Plan) => Question) | null;
  /** How to wait for the lease, where that differs from other commands. */
  readonly wait: Partial<LeaseWait>;
}

interface AppliedFiles {
  readonly report: ApplyReport;
  readonly exit: ExitCode;
}

/** One apply: shows its plan, asks, carries it out, and says what it came to, also for what was reviewed. */
export async function runApply(context: Context, opened: Opened, terms: ApplyTerms): Promise<AppliedFiles> {
  const { reviewed, check, expand, question } = terms;
  const { waitMs, ...wait } = terms.wait;
  const ports = runPorts(context);
  let done: readonly ReviewedChange[] = [];
  let differences: readonly NotAsReviewed[] = [];
  const options: FilesApply = {
    ...terms.limits,
    isAgreed: question === null,
    remotes: context.remotes(),
    show: (seen) => {
      if (reviewed !== undefined) {
        done = findDone(reviewed.review, seen.plan);
        const { plan } = describeLook(opened, seen, readCircumstances(context, reviewed.allow));
        differences = reviewed.plans.flatMap((one) => compareReviewed(one, plan));
        showDifferences(context, differences);
      }
      check?.(seen);
      const isAgreed = question === null || reviewed !== undefined || terms.limits.saved !== undefined;
      const view = {
        expand,
        declared: seen.facts.declared,
        isBeforeResult: true,
        isAgreed: isAgreed && !expand,
      };
      // The plan goes to stderr, because the result of an apply is the outcome of each change.
      context.output.say(drawPlanText(context, seen.plan, view));
      if (isPlanRefused(seen.plan)) throw planRefused(seen.plan);
    },
    ask: async ({ plan }) => {
      if (question === null || !plan.changes.some(writes)) return 'at-once';
      await requireYes(context, question(plan), 'Nothing was changed.', 'Review the plan, then add --yes.');
      return 'waited';
    },
  };
  const { results } = await context.protect(() =>
    applyFiles({ ...ports, lockTimeoutMs: waitMs ?? ports.lockTimeoutMs }, opened, options, wait),
  );
  const exit = applyExit(results, context.interrupted.aborted);
  const report = describeResults(results);
  if (reviewed === undefined) return { report, exit };
  const outcomes = report.outcomes.map((outcome) => addFields(outcome, differences));
  return { report: { ...report, outcomes, already_done: [...done] }, exit };
}

/** What differs between a reviewed change and the one that is blocked instead of it. */
function showDifferences({ output }: Context, differences: readonly NotAsReviewed[]): void {
  if (differences.length === 0) return;
  output.say(
    page([shown`Not as reviewed:`, ...differences.flatMap((one) => drawNotAsReviewed(one, output))]),
  );
}

/** A change that is not as reviewed, with each field that differs. */
function drawNotAsReviewed({ reviewed, fresh, fields }: NotAsReviewed, style: TextStyle): readonly Visible[] {
  const name = visible(formatAddress(fresh.address));
  const [was, is] = [describeChange(reviewed), describeChange(fresh)];
  const what = was === is ? was : `${was} when reviewed, ${is} now`;
  const hidden = fields.length === 0 ? '. They differ in what plans do not show, such as a live text' : '';
  return [
    ...drawLine([span(shown`~ `, 'warn'), span(name, 'strong'), span(shown`: ${what}${hidden}`)], style),
    ...drawDifferences(fields, style),
  ];
}

function describeChange({ action, live_id: id }: Change): string {
  return `${CHANGE_WORDS[action].label}${id === null ? '' : ` ${id}`}`;
}

/** A blocked change with the fields that are not as reviewed. */
function addFields(outcome: Outcome, differences: readonly NotAsReviewed[]): Outcome {
  const { unreviewed } = outcome;
  if (unreviewed === undefined) return outcome;
  const own = differences.find(({ fresh }) => fresh.fingerprint === unreviewed.fingerprint);
  return { ...outcome, unreviewed: { ...unreviewed, fields: [...(own?.fields ?? [])] } };
}

/** The outcome of an apply. `again` has the commands that go on after it; null where a job goes on. */
export function drawApply(
  { output: { colour, width } }: Context,
  { declared }: Opened,
  report: ApplyReport,
  again: Again | null,
): Pick<Reports, 'text' | 'json'> {
  return {
    text: () => renderApplyText(report, { colour, width, zones: listZones(declared) }, again),
    json: () => ({ ...report }),
  };
}
