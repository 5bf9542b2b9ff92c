import type { Plan } from '../domain/change.ts';
import { formatAddress } from '../domain/resource.ts';
import type { Job } from '../provider/job.ts';
import { markdownName, markdownProse } from '../render/markdown-escape.ts';
import { isPlanRefused } from '../domain/change.ts';
import { countDue, isQuiet } from '../render/summary.ts';
import type { CommentText } from './comment.ts';
import type { ReviewMarker } from './marker.ts';
import type { Scope } from './scope-changed.ts';
import { planArtifact, workspaceDigest } from './workspace-digest.ts';

/** The run that made a plan, and the workspace that it is about. */
export interface PlanRun {
  readonly job: Job;
  /** Of the workspace in the repository; empty at its top. */
  readonly folder: string;
  /** Of this Herald. */
  readonly version: string;
  /** The last commit of the pull request. */
  readonly head: string;
}

/** What was found out. Without a plan, `fingerprint` is null and there is nothing to review. */
export interface Found {
  readonly fingerprint: string | null;
  readonly changes: Readonly<Record<string, readonly string[]>>;
  /** `2 to create`. */
  readonly counts: string;
  readonly base: string | null;
  readonly notices: readonly string[];
  readonly draw: (bytes: number) => string;
}

/** Characters of a commit and of a fingerprint that people see. */
const SHORT = 12;

/** The comment of one plan, without its place. */
export function planComment({ job, folder, version, head }: PlanRun, found: Found): CommentText {
  const marker: ReviewMarker = {
    schema: 'herald/ci/1',
    run: job.run?.id ?? null,
    artifact: planArtifact(folder),
    plan: found.fingerprint,
    head,
    base: found.base,
    changes: Object.fromEntries(
      Object.entries(found.changes).map(([address, prints]) => [address, [...prints]]),
    ),
    version,
  };
  const at = head.slice(0, SHORT);
  const workspace = folder === '' ? [] : [`Workspace ${markdownName(folder)}.`];
  const compared = found.base === null ? '' : `, compared with ${found.base.slice(0, SHORT)}`;
  const print = found.fingerprint === null ? [] : [`Fingerprint ${shortPrint(found.fingerprint)}.`];
  return {
    workspace: workspaceDigest(folder),
    marker,
    notices: found.notices,
    plan: found.draw,
    footer: [
      ...workspace,
      `Planned for ${at}${compared}.`,
      ...print,
      wholePlan(job, folder),
      `Herald ${version}.`,
    ].join(' '),
    summary: `${found.counts}, for ${at}`,
  };
}

/** The sentence that says where the whole plan is. */
export function wholePlan(job: Job, folder: string): string {
  const artifact = markdownName(planArtifact(folder));
  const url = job.run?.url ?? null;
  return url === null
    ? `The whole plan is in the artifact ${artifact}.`
    : `The whole plan is in the artifact ${artifact} of [this run](${url.replaceAll(/[()\s<>]/g, encodeURIComponent)}).`;
}

/** The counts of a plan in a few words, for a commit status. */
export function planCounts(plan: Plan): string {
  if (isPlanRefused(plan)) return 'refused';
  return isQuiet(plan) ? 'no changes' : countDue(plan, 'plan');
}

/** The fingerprints of the changes that a person reviews, by address. */
export function reviewedChanges(plan: Plan): Readonly<Record<string, readonly string[]>> {
  const found: Record<string, string[]> = {};
  for (const { address, fingerprint } of plan.changes)
    if (fingerprint !== undefined) (found[formatAddress(address)] ??= []).push(fingerprint);
  return found;
}

/** What a reviewer has to know of the scope. */
export function scopeNotices(scope: Scope | null): readonly string[] {
  return scope?.kind === 'all' ? [`> Everything is planned, because ${markdownProse(scope.because)}.`] : [];
}

function shortPrint(fingerprint: string): string {
  return markdownName(fingerprint.slice(0, 'sha256:'.length + SHORT));
}
