import * as z from 'zod';
import { isPlanRefused, type Plan } from '../domain/change.ts';
import { sha256Of } from '../domain/digest.ts';
import { formatAddress } from '../domain/resource.ts';
import type { Job } from '../provider/job.ts';
import { countBytes, markdownName, markdownProse } from '../render/markdown-escape.ts';
import { countDue, isQuiet } from '../render/summary.ts';
import type { Scope } from './scope.ts';

/** A comment of one workspace on a pull request. All texts are Markdown, with what people wrote neutralised. */
export interface CommentText {
  /** `workspaceDigest` of the folder. */
  readonly workspace: string;
  readonly marker: ReviewMarker;
  /** What a reviewer has to know first: a changed policy, other pull requests with the same addresses. */
  readonly notices: readonly string[];
  /** Draws the plan in at most so many bytes. */
  readonly plan: (bytes: number) => string;
  /** The commit, the run and the artifact. */
  readonly footer: string;
  /** A few words for when a later plan replaces this one, without a text of people: `2 to create, for abc123`. */
  readonly summary: string;
}

/** What a provider takes, and what is there already. */
export interface CommentPlace {
  /** Characters of a comment. */
  readonly bodyMax: number;
  /** The comment that is replaced; null for a new one. */
  readonly earlier: string | null;
}

/** Lines between the parts of a comment, by which the next run takes it apart. */
const PARTS = {
  notices: '<!-- herald:notices -->',
  plan: '<!-- herald:plan -->',
  footer: '<!-- herald:footer -->',
  earlier: '<!-- herald:earlier -->',
} as const;

/** Earlier plans are shown in at most this share of a comment. */
const EARLIER_SHARE = 0.3;

/**
 * The body of the comment: its marker, what to know first, the plan, the footer, and earlier plans folded away. It always
 * fits: first the earlier plans lose their texts, then the plan is drawn shorter.
 */
export function commentBody(text: CommentText, { bodyMax, earlier }: CommentPlace): string {
  const { workspace, marker, notices, footer, summary } = text;
  const head = [markerLine(workspace, marker), PARTS.notices, ...notices.flatMap((notice) => [notice, ''])];
  const foot = [PARTS.footer, footer, `<!-- ${summary} -->`];
  // Bytes are never fewer than characters.
  const space = bodyMax - countBytes([...head, PARTS.plan, ...foot, PARTS.earlier]) - 2;
  const folded = foldedWithin(listEarlier(earlier, marker, workspace), Math.floor(space * EARLIER_SHARE));
  const plan = text.plan(space - countBytes(folded)).trimEnd();
  return [...head, PARTS.plan, plan, '', ...foot, PARTS.earlier, ...folded].join('\n');
}

/** The plan that is replaced, and those that it replaced. A run that is repeated replaces its own. */
function listEarlier(body: string | null, { head }: ReviewMarker, workspace: string): readonly EarlierPlan[] {
  if (body === null) return [];
  const before = foldedIn(between(body, PARTS.earlier, null));
  const text = between(body, PARTS.plan, PARTS.footer);
  if (readMarker(workspace, body)?.head === head || text === '') return before;
  const summary = /^<!-- (.*) -->$/m.exec(between(body, PARTS.footer, PARTS.earlier))?.[1];
  return [{ summary: summary ?? 'a plan', text }, ...before];
}

/** The text between two marks on lines of their own; up to the end without a second one. */
function between(body: string, from: string, to: string | null): string {
  const start = body.indexOf(`\n${from}\n`);
  if (start === -1) return '';
  const rest = body.slice(start + from.length + 1);
  const end = to === null ? -1 : rest.indexOf(`\n${to}\n`);
  return (end === -1 ? rest : rest.slice(0, end)).trim();
}

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

/** Why a run made no plan, and what to do next. */
export interface PlanFailure {
  readonly message: string;
  readonly hint: string | null;
}

/** What to report of a run that could not plan. Nothing can be reviewed then. */
export function failedPlan({ message, hint }: PlanFailure): Found {
  const next = hint === null ? [] : ['', markdownProse(hint)];
  return {
    fingerprint: null,
    changes: {},
    counts: 'no plan',
    base: null,
    notices: [],
    draw: () => ['### Herald: the plan failed', '', markdownProse(message), ...next].join('\n'),
  };
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
  /** The commit that it was compared with; null if it was compared with none. */
  base: z.string().nullable(),
  /** The fingerprints of the changes, by address. Left out if there are too many; then only the artifact has them. */
  changes: z.record(z.string(), z.array(z.string())).optional(),
  /** Addresses that a later pull request has changed before these changes were applied. They are not reviewed any more. */
  withdrawn: z.array(z.string()).optional(),
  /** Of the Herald that made it. */
  version: z.string(),
});
export interface ReviewMarker extends Readonly<z.infer<typeof reviewMarkerShape>> {}

/** The JSON of a marker has at most this many bytes, so that the plan has its space in the comment. */
const MARKER_BYTES_MAX = 20_000;

/** No marker of a later version is longer; a comment may be. */
const MARKER_TEXT_MAX = 200_000;

/** The beginning of the comment of one workspace. */
export function markerStart(workspace: string): string {
  return `<!-- herald:${workspace} `;
}

/** The first line of a comment. Leaves out the changes if they do not fit. */
export function markerLine(workspace: string, marker: ReviewMarker): string {
  const whole = JSON.stringify(marker);
  const { changes: _changes, ...short } = marker;
  const json = Buffer.byteLength(whole) <= MARKER_BYTES_MAX ? whole : JSON.stringify(short);
  return `${markerStart(workspace)}${Buffer.from(json).toString('base64url')} -->`;
}

/** A comment in which these addresses are not reviewed any more. */
export function withWithdrawn(workspace: string, body: string, addresses: readonly string[]): string {
  const marker = readMarker(workspace, body);
  const end = body.indexOf('\n');
  if (marker === null || end === -1) return body;
  const withdrawn = [...new Set([...(marker.withdrawn ?? []), ...addresses])];
  return `${markerLine(workspace, { ...marker, withdrawn })}${body.slice(end)}`;
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

/** A plan that a later one replaced. */
export interface EarlierPlan {
  readonly summary: string;
  /** Empty if it was left out for its size. */
  readonly text: string;
}

/** Plans before these are left out. */
const EARLIER_MAX = 5;

const EACH = '<!-- herald:earlier-plan -->';

/** Earlier plans, folded away, the newest first. Those that do not fit into so many bytes lose their texts. */
function foldedWithin(plans: readonly EarlierPlan[], bytes: number): readonly string[] {
  const all = plans.slice(0, EARLIER_MAX);
  let space = bytes - countBytes(all.flatMap((plan) => drawEarlier(plan)));
  return all.flatMap((plan) => {
    const whole = folded(plan);
    const more = countBytes(whole) - countBytes(drawEarlier(plan));
    if (plan.text === '' || more > space) return drawEarlier(plan);
    space -= more;
    return whole;
  });
}

/** The plans that `foldedWithin` wrote. */
function foldedIn(part: string): readonly EarlierPlan[] {
  return part
    .split(EACH)
    .map((one) => one.trim())
    .flatMap((one) => {
      const [, summary, text] = FOLDED.exec(one) ?? [];
      if (summary !== undefined) return [{ summary, text: text ?? '' }];
      const short = /^Earlier: (.*)$/.exec(one)?.[1];
      return short === undefined ? [] : [{ summary: short, text: '' }];
    });
}

const FOLDED = /^<details><summary>Earlier: (.*)<\/summary>\n\n([^]*)\n\n<\/details>$/;

function folded({ summary, text }: EarlierPlan): readonly string[] {
  return [EACH, `<details><summary>Earlier: ${summary}</summary>`, '', text, '', '</details>'];
}

function drawEarlier({ summary }: EarlierPlan): readonly string[] {
  return [EACH, `Earlier: ${summary}`];
}

/** Another open pull request of the same workspace. */
export interface Neighbour {
  readonly pullRequest: number;
  /** What it changes, as addresses; null if they are too many for its comment. */
  readonly addresses: readonly string[] | null;
}

/** More addresses make a notice hard to read. */
const ADDRESSES_MAX = 10;

/** The addresses that both change. */
function sharedAddresses(own: readonly string[], { addresses }: Neighbour): readonly string[] {
  const theirs = new Set(addresses ?? []);
  return own.filter((address) => theirs.has(address)).toSorted();
}

/** The notice about another pull request that changes the same addresses. Null if it does not. */
export function drawNotice(own: readonly string[], neighbour: Neighbour, sign: '#' | '!'): string | null {
  const start = `> **${sign}${neighbour.pullRequest}**`;
  if (neighbour.addresses === null)
    return own.length === 0
      ? null
      : `${start} changes too many resources to compare. If it is merged first, the plan of this one may change.`;
  const shared = sharedAddresses(own, neighbour);
  if (shared.length === 0) return null;
  const names = shared.slice(0, ADDRESSES_MAX).map(markdownName).join(', ');
  const more = shared.length > ADDRESSES_MAX ? ` and ${shared.length - ADDRESSES_MAX} more` : '';
  return `${start} changes the same: ${names}${more}. After one is merged, these resources have to be planned and reviewed again in the other.`;
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

/** The name of the commit status of a workspace. Plans are on the head of a pull request, applies on the merged commit. */
export function statusContext(folder: string, job: 'plan' | 'apply'): string {
  const workspace = folder === '' ? 'herald' : `herald/${folder}`;
  return job === 'plan' ? workspace : `${workspace} apply`;
}
