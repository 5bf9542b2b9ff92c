import type { Context } from '../cli/context.ts';
import { defineCommand } from '../cli/define-command.ts';
import {
  allowFlag,
  lockTimeoutFlag,
  parsedFlag,
  parseNumber,
  textFlag,
  type ValuesOf,
  word,
  yesFlag,
} from '../cli/flags.ts';
import { expandFlag, readAllowances, repeatFlags, targetFlags } from '../cli/make-plan.ts';
import { type ApplyWishes, runApply } from '../cli/run-apply.ts';
import { readPlanToApply } from '../cli/saved-plan.ts';
import { formatCommand } from '../domain/command-line.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { Opened } from '../library/connect.ts';
import { reviewPlan } from '../plan/review.ts';
import { InvalidArgumentError } from 'commander';

const HOUR_MS = 3_600_000;

/** Of a saved plan that is applied exactly. A review has no age by itself: its fingerprints show what is still as reviewed. */
const PLAN_AGE_MAX_HOURS = 24;

const words = { plan: word('[PLAN]') };
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
    parseNumber('a number of hours above 0', (hours) => hours > 0),
  ),
  lockTimeout: lockTimeoutFlag,
};

type Given = ValuesOf<typeof flags & typeof words>;

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
    const { expand, yes: isAgreed, plan, reviewed } = given;
    const file = plan ?? reviewed;
    const limits =
      file === undefined ? planNow(given, opened) : await limitToPlan(context, given, opened, file);
    return runApply(context, opened, { ...limits, expand, isAgreed });
  },
});

type Limits = Omit<ApplyWishes, 'isAgreed'>;

function planNow({ expect, allow, ...given }: Given, { workspace }: Opened): Limits {
  if (expect !== undefined)
    throw new HeraldError(
      'bad-flag',
      'No plan given: --expect checks the digest of a saved plan.',
      `Use: ${formatCommand('apply', 'plan.json', '--expect', expect)}`,
    );
  const { target, exclude } = given;
  const same = formatCommand('apply', ...repeatFlags({ allow, target, exclude }));
  return {
    allow: readAllowances(allow, workspace.allow),
    targeting: given,
    next: { command: formatCommand('apply', ...repeatFlags({ allow })), same },
    again: `Run ${same} again.`,
    mustMatch: true,
  };
}

/**
 * A saved plan has its own targets. `apply PLAN` applies exactly this one, with its allowances, or nothing. With `--reviewed`, Herald
 * plans now, with the allowances of this run, and applies the changes that this plan has.
 */
async function limitToPlan(
  context: Context,
  { plan, reviewed, allow, target, exclude, expect, maxPlanAge }: Given,
  { workspace }: Opened,
  file: string,
): Promise<Limits> {
  if (plan !== undefined && reviewed !== undefined)
    throw new HeraldError(
      'bad-flag',
      'Two plans given. PLAN applies exactly that plan or nothing; --reviewed plans again and applies what was reviewed.',
      `Use one of them: ${formatCommand('apply', '--reviewed', reviewed)}`,
    );
  const isExact = plan !== undefined;
  const own = { target, exclude, allow: isExact ? allow : [] };
  const [flag] = Object.entries(own).find(([, values]) => values.length > 0) ?? [];
  if (flag !== undefined)
    throw new HeraldError(
      'bad-flag',
      `A saved plan has its own ${flag === 'allow' ? 'allowances' : 'targets'}. Use --${flag} with ${formatCommand('plan')} instead.`,
    );
  const saved = await readPlanToApply(context, file, expect);
  const hours = maxPlanAge ?? (isExact ? PLAN_AGE_MAX_HOURS : null);
  const granted = saved.allow.filter((name) => !workspace.allow.includes(name));
  const planAgain = (limits: Readonly<Record<string, readonly string[]>>) =>
    formatCommand('plan', ...repeatFlags({ allow: granted, ...limits, out: [file] }));
  const same = planAgain({ target: saved.target, exclude: saved.exclude });
  return {
    allow: isExact ? new Set(saved.allow) : readAllowances(allow, workspace.allow),
    targeting: saved,
    reviewed: { plans: [saved], isExact, maxAgeMs: hours === null ? null : hours * HOUR_MS },
    ...(isExact ? {} : { permissions: () => Promise.resolve({ review: reviewPlan(saved.plan) }) }),
    // If the plan was reviewed, the next one is reviewed as well.
    next: { command: planAgain({}), same },
    again: `Make a new plan and review it: ${same}`,
  };
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
