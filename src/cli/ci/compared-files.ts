import { invalidFiles } from '../../library/errors.ts';
import { changedAddresses } from '../../ci/changed-addresses.ts';
import { declaredDifferences, type DeclaredDifference } from '../../ci/declared-differences.ts';
import type { Found, PlanRun } from '../../ci/plan-comment.ts';
import { baseFiles } from '../../ci/scope-changed.ts';
import { workspaceNotices } from '../../ci/settings-notice.ts';
import { isPlanRefused } from '../../domain/change.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { visible } from '../../domain/visible.ts';
import { declaredIn } from '../../library/declared-at.ts';
import { planDeclared } from '../../plan/describe.ts';
import { findingAnnotations } from '../../render/annotations.ts';
import { renderDeclaredMarkdown } from '../../render/declared-markdown.ts';
import { count } from '../../render/wording.ts';
import type { Loaded } from '../../workspace/load.ts';
import type { Context } from '../context.ts';
import { annotate } from '../findings.ts';
import { writePage } from '../page/write-page.ts';
import { circumstancesOf } from '../resources/circumstances.ts';
import { writeReport } from '../write-report.ts';
import { inFolder, MARKDOWN_FILE, PAGE_FILE, writeCodeQuality } from './plan-files.ts';
import type { CiPlanFlags } from './plan-flags.ts';
import { HeraldError } from '../../domain/herald-error.ts';

interface Compared {
  readonly found: Found;
  readonly isRefused: boolean;
}

/**
 * What can be said of a pull request without the key: whether its files are valid, what the policy says, and what they
 * declare differently than the base. Asks the service nothing.
 */
export async function comparedFiles(context: Context, flags: CiPlanFlags, run: PlanRun): Promise<Compared> {
  const loaded = await declaredIn(context, context);
  if (loaded.kind === 'invalid') throw invalidFiles(loaded.diagnostics);
  const { base, differences, whole } = await differencesOf(context, flags, run, loaded);
  const { workspace: settings, declared, placeOf, warnings } = loaded;
  const nowMs = context.clock.now();
  const circumstances = circumstancesOf(context, flags.allow);
  const plan = planDeclared({ ...circumstances, declared, placeOf, settings, warnings, nowMs });
  const comparison = {
    differences,
    diagnostics: plan.diagnostics,
    leftOut: `${whole}${LEFT_OUT[run.job.isFork ? 'fork' : 'here']}`,
  };
  const draw = (bytes: number) => renderDeclaredMarkdown(comparison, bytes);
  await writeReport(context, inFolder(flags.outDir, MARKDOWN_FILE), draw(MARKDOWN_BYTES));
  await writePage(context, inFolder(flags.outDir, PAGE_FILE), plan, 'preview');
  const annotations = findingAnnotations(plan.diagnostics);
  annotate(context, annotations);
  await writeCodeQuality(context, run.job, { outDir: flags.outDir, folder: run.folder }, annotations);
  for (const line of draw(MARKDOWN_BYTES).split('\n')) context.output.result(visible(line));
  const head = await context.files.readText('herald.yaml');
  const about = { head, changes: differences, resolved: [] };
  const notices = await workspaceNotices(await context.repository(), base, about);
  const counts = `${count(differences.length, 'resource')} declared differently, not compared with the service`;
  return {
    found: { fingerprint: null, changes: {}, counts, base, notices, draw },
    isRefused: isPlanRefused(plan),
  };
}

const NOT_DONE =
  'Left out: what is live, what an apply would do, and every check that needs the service. The whole plan is made after the merge, or';
const LEFT_OUT = {
  fork: `This pull request comes from a fork, so the job has no API key. ${NOT_DONE} when someone with rights opens the pull request from a branch of this repository.`,
  here: `The job has no API key, as with a pull request of Dependabot. ${NOT_DONE} when HERALD_VIEW_KEY or HERALD_API_KEY is set for this job.`,
} as const;

/** Enough for any comparison that a person would read. */
const MARKDOWN_BYTES = 10_000_000;

interface Differences {
  readonly base: string;
  readonly differences: readonly DeclaredDifference[];
  /** Set if everything counts as different: why. */
  readonly whole: string;
}

async function differencesOf(
  context: Context,
  flags: CiPlanFlags,
  { job }: PlanRun,
  head: Extract<Loaded, { kind: 'loaded' }>,
): Promise<Differences> {
  const named = flags.base ?? job.base ?? job.baseBranch;
  if (named === null)
    throw new HeraldError(
      'bad-flag',
      'This job does not say what the pull request is compared with.',
      `Use: ${formatCommand('ci', 'plan', '--base', 'main')}`,
    );
  const comparison = { base: named, head: job.head };
  const { base, files } = await baseFiles(context, await context.repository(), comparison);
  const all = head.declared.map(({ address }) => address);
  if (typeof files === 'string')
    return {
      base,
      differences: declaredDifferences([], head.declared, all),
      whole: `Everything counts as new, because ${files}. `,
    };
  const changed = changedAddresses(files, head);
  const whole = changed.kind === 'all' ? `Look at herald.yaml: ${changed.because}. ` : '';
  const addresses = changed.kind === 'addresses' ? changed.addresses : all;
  const differences = declaredDifferences(files.declared, head.declared, addresses);
  return { base, differences: differences.filter(isDifferent), whole };
}

function isDifferent({ what, fields }: DeclaredDifference): boolean {
  return what !== 'changed' || fields.length > 0;
}
