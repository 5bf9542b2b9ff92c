import { InvalidArgumentError } from 'commander';
import type { Context } from '../cli/context.ts';
import { defineCommand } from '../cli/define-command.ts';
import { allowFlag, lockTimeoutFlag, optionalWord, parsedFlag, textFlag, yesFlag } from '../cli/flags.ts';
import {
  expandFlag,
  readAllowances,
  readTargets,
  refuseUnmatched,
  repeatFlags,
  targetFlags,
} from '../cli/plan-flags.ts';
import { isPlainStop, plainQuestion, typedQuestion } from '../cli/question.ts';
import { drawApply, runApply, type ApplyTerms } from '../cli/run-apply.ts';
import { nameSavedPlan, readPlanToApply } from '../cli/saved-plan.ts';
import { WRITING_KINDS } from '../domain/change-kinds.ts';
import { writes, type Plan } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import { EXIT } from '../domain/exit-codes.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { Question } from '../domain/ports.ts';
import { servicePlace } from '../domain/service-identity.ts';
import { shown } from '../domain/visible.ts';
import type { Opened } from '../library/open.ts';
import { refuseElsewhere } from '../library/stale.ts';
import type { Targeting } from '../plan/facts.ts';
import { reviewPlan } from '../plan/review.ts';
import { agePast, type SavedPlan } from '../plan/saved.ts';
import type { Again } from '../render/next-steps.ts';
import { count } from '../render/wording.ts';

const HOUR_MS = 3_600_000;

/** Of a saved plan that is applied exactly. */
const PLAN_AGE_MAX_HOURS = 24;

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
  words: { plan: optionalWord('PLAN') },
  flags: {
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
  },
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

interface Given extends Targeting {
  /** A saved plan to apply exactly. Undefined to plan now. */
  readonly plan: string | undefined;
  /** A saved plan that limits what is applied. */
  readonly reviewed: string | undefined;
  /** The reviewed digest or its beginning, in hex. Undefined accepts any plan. */
  readonly expect: string | undefined;
  readonly allow: readonly string[];
  /** In hours. Undefined for the default. */
  readonly maxPlanAge: number | undefined;
}

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
      saved: null,
      named: { what: 'The plan is stale', hint: `Run ${formatCommand('apply')} again.` },
      maxAgeMs: 0,
    },
    reviewed: null,
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
    reviewed: null,
    check: () => undefined,
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
      saved: null,
      maxAgeMs: 0,
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
