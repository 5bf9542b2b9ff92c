import type { ApplyReport, Outcome } from '../domain/change.ts';
import { formatAddress } from '../domain/resource.ts';
import { markdownName, markdownProse } from '../render/markdown-escape.ts';
import { CHANGE_WORDS, count } from '../render/wording.ts';
import { markerStart } from './comment.ts';

/** The apply that a comment is about. */
export interface ApplyRun {
  readonly commit: string;
  /** The page of the run; null if there is none. */
  readonly url: string | null;
}

const BEGIN = '<!-- herald:applied -->';
const END = '<!-- herald:applied-end -->';

/** Later rows are only counted. */
const ROWS_MAX = 200;

/** A report, with what a reader of its comment has to know besides. */
interface ReportWithNotes extends ApplyReport {
  readonly notes?: readonly string[];
}

/** What may need a person first, because a long list is cut. */
const ROW_ORDER: readonly Outcome['outcome'][] = [
  'unknown',
  'failed',
  'applied',
  'adopted',
  'missed',
  'not_attempted',
];

/** What became of the reviewed changes, with the ids of the objects. */
export function outcomeSection(report: ReportWithNotes, run: ApplyRun, rowsMax = ROWS_MAX): string {
  const rows = ROW_ORDER.flatMap((kind) => report.outcomes.filter(({ outcome }) => outcome === kind)).map(
    drawOutcomeRow,
  );
  const done = (report.already_done ?? []).map(
    ({ address, action }) =>
      `| already done | ${action === null ? '' : CHANGE_WORDS[action].label} | ${markdownName(formatAddress(address))} | |`,
  );
  const all = [...rows, ...done];
  const left = all.length - rowsMax;
  return [
    `### Applied at ${run.commit.slice(0, 12)}${drawRunLink(run)}`,
    '',
    ...(all.length === 0
      ? ['Nothing was left to do.']
      : ['| outcome | change | resource | id |', '| --- | --- | --- | --- |', ...all.slice(0, rowsMax)]),
    ...(left > 0 ? ['', `And ${left} more.`] : []),
    ...(report.notes ?? []).flatMap((note) => ['', markdownProse(note)]),
  ].join('\n');
}

function drawOutcomeRow({ outcome, action, address, live_id: id }: Outcome): string {
  const word = action === 'blocked' ? 'not applied' : outcome.replace('_', ' ');
  return `| ${word} | ${CHANGE_WORDS[action].label} | ${markdownName(formatAddress(address))} | ${id === null ? '' : markdownProse(id)} |`;
}

function drawRunLink({ url }: ApplyRun): string {
  return url === null ? '' : ` by [this run](${url.replaceAll(/[()\s<>]/g, encodeURIComponent)})`;
}

/** The comment of the plan with the outcomes below its marker. A run that is repeated replaces its own. */
export function withOutcomes(body: string, report: ReportWithNotes, run: ApplyRun, bodyMax: number): string {
  const bare = withoutOutcomes(body);
  const end = bare.indexOf('\n');
  const [marker, rest] = end === -1 ? [bare, ''] : [bare.slice(0, end), bare.slice(end)];
  const begin = [marker, BEGIN, ...unapprovedLine(report)].join('\n');
  const whole = (rows: number) => `${begin}\n${outcomeSection(report, run, rows)}\n${END}${rest}`;
  const fits = [ROWS_MAX, ROWS_MAX / 10, 0].map(whole).find((text) => text.length <= bodyMax);
  return fits ?? body;
}

const UNAPPROVED = '<!-- herald:unapproved ';

/** For the jobs of later merges: what was not applied because approvals were missing. */
function unapprovedLine({ outcomes }: ApplyReport): readonly string[] {
  const names = outcomes.filter(({ unapproved }) => unapproved !== undefined).map(drawOutcomeAddress);
  if (names.length === 0) return [];
  return [`${UNAPPROVED}${Buffer.from(JSON.stringify(names)).toString('base64url')} -->`];
}

/** The addresses that a job has not applied because approvals were missing, as its outcome says. */
export function unapprovedIn(body: string): readonly string[] {
  const encoded = new RegExp(`\\n${BEGIN}\\n${UNAPPROVED}([\\w-]+) -->\\n`).exec(body)?.[1];
  if (encoded === undefined) return [];
  try {
    const names: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'));
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}

function drawOutcomeAddress({ address }: Outcome): string {
  return formatAddress(address);
}

/** Whether a job has reported what became of the plan of this comment. */
export function hasOutcomes(body: string): boolean {
  return body.includes(`\n${BEGIN}\n`);
}

function withoutOutcomes(body: string): string {
  const [begin, end] = [body.indexOf(`\n${BEGIN}\n`), body.indexOf(`\n${END}`)];
  return begin === -1 || end < begin ? body : body.slice(0, begin) + body.slice(end + END.length + 1);
}

/** The beginning of the comment about what was not applied. */
export function leftMarker(workspace: string): string {
  return `${markerStart(workspace).trimEnd()}-left -->`;
}

/** What was not applied, and why. Null if everything was. */
export function leftComment(
  workspace: string,
  report: ApplyReport,
  run: ApplyRun,
  bodyMax: number,
): string | null {
  const left = NOT_DONE.flatMap((kind) => report.outcomes.filter(({ outcome }) => outcome === kind));
  if (left.length === 0) return null;
  const head = [
    leftMarker(workspace),
    `### ${count(left.length, 'change was', 'changes were')} not applied at ${run.commit.slice(0, 12)}${drawRunLink(run)}`,
    '',
  ];
  const items = left.map(
    ({ action, address, message }) =>
      `- **${CHANGE_WORDS[action].label}** ${markdownName(formatAddress(address))}: ${markdownProse(message)}`,
  );
  const foot = [
    '',
    ...(left.some(({ unreviewed }) => unreviewed !== undefined)
      ? ['To apply what was not reviewed, open a pull request that changes it, and review its plan.']
      : []),
    ...(left.some(({ unapproved }) => unapproved !== undefined)
      ? ['To apply what was not approved, get the approvals, and run this job again.']
      : []),
  ];
  for (let listed = Math.min(items.length, ROWS_MAX); ; listed = Math.floor(listed / 2)) {
    const more = items.length > listed ? [`- And ${items.length - listed} more.`] : [];
    const body = [...head, ...items.slice(0, listed), ...more, ...foot].join('\n');
    if (body.length <= bodyMax || listed === 0) return body;
  }
}

/** The comment on outcomes after a later run has applied the rest. */
export function nothingLeftComment(workspace: string, run: ApplyRun): string {
  return [
    leftMarker(workspace),
    `Everything is applied at ${run.commit.slice(0, 12)}${drawRunLink(run)}.`,
  ].join('\n');
}

/** The comment on a pull request that was never approved, after a later one changed the same resources. */
export function overtakenComment(workspace: string, note: string, run: ApplyRun): string {
  return [
    leftMarker(workspace),
    `### Changed again by a later pull request at ${run.commit.slice(0, 12)}${drawRunLink(run)}`,
    '',
    markdownProse(note),
  ].join('\n');
}

/** The worst first, because a long list is cut. */
const NOT_DONE: readonly Outcome['outcome'][] = ['unknown', 'failed', 'missed', 'not_attempted'];

/** Why nothing was applied. */
export function refusedComment(
  workspace: string,
  { message, hint }: { readonly message: string; readonly hint: string | null },
  run: ApplyRun,
): string {
  const next = hint === null ? [] : ['', markdownProse(hint)];
  return [
    leftMarker(workspace),
    `### Not applied at ${run.commit.slice(0, 12)}${drawRunLink(run)}`,
    '',
    markdownProse(message),
    ...next,
  ].join('\n');
}
