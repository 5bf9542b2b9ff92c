import { countBytes } from '../render/markdown-escape.ts';
import { foldedIn, foldedWithin, type EarlierPlan } from './earlier-plans.ts';
import { markerLine, readMarker, type ReviewMarker } from './marker.ts';

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
  const folded = foldedWithin(earlierOf(earlier, marker, workspace), Math.floor(space * EARLIER_SHARE));
  const plan = text.plan(space - countBytes(folded)).trimEnd();
  return [...head, PARTS.plan, plan, '', ...foot, PARTS.earlier, ...folded].join('\n');
}

/** The same comment with other notices: for another pull request that begins to change the same. */
export function withNotices(body: string, notices: readonly string[], bodyMax: number): string | null {
  const [start, end] = [body.indexOf(`\n${PARTS.notices}\n`), body.indexOf(`\n${PARTS.plan}\n`)];
  if (start === -1 || end < start) return null;
  const head = body.slice(0, start + PARTS.notices.length + 2);
  const changed = `${head}${notices.flatMap((notice) => [notice, '']).join('\n')}${body.slice(end)}`;
  return changed.length <= bodyMax ? changed : null;
}

/** The notices of a comment, as they were written. */
export function noticesIn(body: string): readonly string[] {
  return between(body, PARTS.notices, PARTS.plan)
    .split('\n\n')
    .filter((notice) => notice !== '');
}

/** The plan that is replaced, and those that it replaced. A run that is repeated replaces its own. */
function earlierOf(body: string | null, { head }: ReviewMarker, workspace: string): readonly EarlierPlan[] {
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
