import * as z from 'zod';
import { sha256Of } from '../domain/digest.ts';
import type { Job } from '../provider/job.ts';
import type { CommitStatus } from '../provider/provider.ts';
import { countBytes, markdownLink, markdownName, markdownProse } from '../render/markdown-escape.ts';

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

/** What a plan job found out, for its comment and its status. All texts are Markdown, with what people wrote neutralised. */
export interface PlanReport {
  /** Null without a plan: then there is nothing to review. */
  readonly fingerprint: string | null;
  readonly state: CommitStatus['state'];
  /** For the status: `2 to create`. */
  readonly counts: string;
  /** The commit that it was compared with; null if it was compared with none. */
  readonly base: string | null;
  /** What a reviewer has to know first, such as a changed policy. */
  readonly notices: readonly string[];
  /** Draws the plan in at most so many bytes. */
  readonly draw: (bytes: number) => string;
}

/** The body of the comment of a plan: its marker, what to know first, the plan, and where it is from. It always fits. */
export function planComment(run: PlanRun, report: PlanReport, bodyMax: number): string {
  const { job, folder, version, head } = run;
  const { fingerprint, base, notices, draw } = report;
  const marker = markerLine(workspaceDigest(folder), {
    schema: 'herald/ci/1',
    run: job.run?.id ?? null,
    artifact: planArtifact(folder),
    plan: fingerprint,
    head,
    version,
  });
  const footer = [
    ...(folder === '' ? [] : [`Workspace ${markdownName(folder)}.`]),
    `Planned for ${head.slice(0, SHORT)}${base === null ? '' : `, compared with ${base.slice(0, SHORT)}`}.`,
    ...(fingerprint === null
      ? []
      : [`Fingerprint ${markdownName(fingerprint.slice(0, 'sha256:'.length + SHORT))}.`]),
    describeArtifact(job, folder),
    `Herald ${version}.`,
  ].join(' ');
  const first = [marker, ...notices.flatMap((notice) => [notice, ''])];
  // Bytes are never fewer than characters.
  const plan = draw(bodyMax - countBytes([...first, '', footer])).trimEnd();
  return [...first, plan, '', footer].join('\n');
}

/** Characters of a commit and of a fingerprint that people see. */
const SHORT = 12;

/** The sentence that says where the whole plan is. */
export function describeArtifact(job: Job, folder: string): string {
  const url = job.run?.url ?? null;
  const run = url === null ? '' : ` of ${markdownLink('this run', url)}`;
  return `The whole plan is in the artifact ${markdownName(planArtifact(folder))}${run}.`;
}

/** What a comment says to later jobs: which plan was reviewed, and where it is. */
const reviewMarkerShape = z.object({
  schema: z.literal('herald/ci/1'),
  /** The run that has the artifact; null where there is none. */
  run: z.string().nullable(),
  /** The name of the artifact with the plan. */
  artifact: z.string(),
  /** The fingerprint of the plan. Null if there is none, for example because the files have errors. */
  plan: z.string().nullable(),
  /** The last commit of the pull request that was planned. */
  head: z.string(),
  /** Of the Herald that made it. */
  version: z.string(),
});
export interface ReviewMarker extends Readonly<z.infer<typeof reviewMarkerShape>> {}

/** No marker is longer; a comment may be. */
const MARKER_TEXT_MAX = 200_000;

/** The beginning of the comment of one workspace. */
export function markerStart(workspace: string): string {
  return `<!-- herald:${workspace} `;
}

/** The first line of a comment. */
export function markerLine(workspace: string, marker: ReviewMarker): string {
  return `${markerStart(workspace)}${Buffer.from(JSON.stringify(marker)).toString('base64url')} -->`;
}

/**
 * What the first line of a comment says. Null for anything else, also for a marker that is damaged. Only comments of our
 * own identity may be read with it: anyone can write such a line.
 */
export function readMarker(workspace: string, body: string): ReviewMarker | null {
  const start = markerStart(workspace);
  if (!body.startsWith(start)) return null;
  const line = body.slice(start.length, start.length + MARKER_TEXT_MAX);
  const encoded = /^([\w-]+) -->(?=\r?\n|$)/.exec(line)?.[1];
  if (encoded === undefined) return null;
  try {
    const read = reviewMarkerShape.safeParse(JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8')));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

/** What was refused or failed, and what to do next. */
export function drawFailure({ message, hint }: { readonly message: string; readonly hint: string | null }) {
  return [markdownProse(message), ...(hint === null ? [] : ['', markdownProse(hint)])].join('\n');
}

/** Enough hex characters to distinguish the workspaces of one repository. */
const DIGEST_LENGTH = 12;

/**
 * The name of a workspace in markers of comments and in names of artifacts: a digest of its folder in the repository,
 * because a folder may have any characters.
 */
export function workspaceDigest(folder: string): string {
  return sha256Of({ workspace: folder }).slice('sha256:'.length).slice(0, DIGEST_LENGTH);
}

/** The name of the artifact with the plan of a workspace. */
export function planArtifact(folder: string): string {
  return `herald-plan-${workspaceDigest(folder)}`;
}
