import { ProviderError } from '../provider/error.ts';
import type { OwnComment, Provider, Written } from '../provider/provider.ts';
import { commentBody, noticesIn, withNotices, type CommentText } from './comment.ts';
import { markerStart, readMarker } from './marker.ts';
import { noticeOf, noticesWith, type Neighbour, type NumberSign } from './neighbours.ts';

/** A plan of a pull request, for its comment. */
export interface PullRequestReport {
  readonly number: number;
  /** Null if it is not known. Then no other pull request is looked for. */
  readonly baseBranch: string | null;
  readonly text: CommentText;
  /** What the pull request changes. */
  readonly addresses: readonly string[];
}

/** What became of it. */
export interface Reported {
  readonly comment: Written;
  /** Numbers of open pull requests that change the same addresses. */
  readonly sharedWith: readonly number[];
}

/** Comments of other pull requests that one run edits. The rest is edited by their own next plan. */
const NEIGHBOURS_EDITED_MAX = 2;
/** With more open pull requests, the calls go into reading them: a plan makes at most ten. */
const OPEN_MAX = 100;

/**
 * Writes the one comment of a workspace, or edits it in place. Names the open pull requests that change the same
 * addresses, and names this one in their comments.
 */
export async function reportOnPullRequest(provider: Provider, report: PullRequestReport): Promise<Reported> {
  const { number, text, addresses } = report;
  const sign: NumberSign = provider.name === 'gitlab' ? '!' : '#';
  const around = await neighboursOf(provider, report);
  const notices = around.neighbours.flatMap(({ neighbour }) => noticeOf(addresses, neighbour, sign) ?? []);
  const [earlier] = (await provider.ownComments(number, markerStart(text.workspace))).slice(-1);
  const place = { bodyMax: provider.bodyMax, earlier: earlier?.body ?? null };
  const body = commentBody({ ...text, notices: [...text.notices, ...around.notices, ...notices] }, place);
  const comment = await write(provider, number, earlier, body);
  await notifyNeighbours(provider, report, around, sign);
  const sharedWith = around.neighbours.filter(
    ({ neighbour }) => noticeOf(addresses, neighbour, sign) !== null,
  );
  return { comment, sharedWith: sharedWith.map(({ neighbour }) => neighbour.pullRequest) };
}

interface Neighbouring {
  readonly neighbour: Neighbour;
  readonly comment: OwnComment;
}

interface Around {
  readonly neighbours: readonly Neighbouring[];
  readonly notices: readonly string[];
  /** Comments of others that may be edited. */
  readonly editsMax: number;
}

const NO_NEIGHBOURS: Around = { neighbours: [], notices: [], editsMax: 0 };

async function neighboursOf(
  provider: Provider,
  { number, baseBranch, text }: PullRequestReport,
): Promise<Around> {
  if (baseBranch === null) return NO_NEIGHBOURS;
  const open = (await provider.openPullRequests(baseBranch)).filter((one) => one.number !== number);
  if (open.length === 0) return NO_NEIGHBOURS;
  const start = markerStart(text.workspace);
  const { comments, isComplete } = await provider.ownCommentsOfAll(
    open.map((one) => one.number),
    start,
  );
  const latest = new Map(comments.map((comment) => [comment.pullRequest, comment]));
  const neighbours = [...latest.values()].flatMap((comment) => {
    const marker = readMarker(text.workspace, comment.body);
    if (marker === null || marker.plan === null) return [];
    const addresses = marker.changes === undefined ? null : Object.keys(marker.changes);
    return [{ neighbour: { pullRequest: comment.pullRequest, addresses }, comment }];
  });
  const notices = isComplete
    ? []
    : ['> There are too many comments to read all. Other pull requests may change the same resources.'];
  return {
    neighbours: neighbours.toSorted((one, two) => one.neighbour.pullRequest - two.neighbour.pullRequest),
    notices,
    editsMax: open.length > OPEN_MAX ? 0 : NEIGHBOURS_EDITED_MAX,
  };
}

async function write(
  provider: Provider,
  number: number,
  earlier: OwnComment | undefined,
  body: string,
): Promise<Written> {
  if (earlier === undefined) return provider.createComment(number, body);
  try {
    return await provider.editComment(earlier, body);
  } catch (error) {
    // A person deleted it meanwhile.
    if (error instanceof ProviderError && error.code === 'provider-not-found')
      return provider.createComment(number, body);
    throw error;
  }
}

async function notifyNeighbours(
  provider: Provider,
  { number, addresses }: PullRequestReport,
  { neighbours, editsMax }: Around,
  sign: NumberSign,
): Promise<void> {
  let edited = 0;
  for (const { neighbour, comment } of neighbours) {
    const notice =
      neighbour.addresses === null
        ? null
        : noticeOf(neighbour.addresses, { pullRequest: number, addresses }, sign);
    const notices = noticesWith(noticesIn(comment.body), number, notice, sign);
    const body = notices === null ? null : withNotices(comment.body, notices, provider.bodyMax);
    if (body === null || edited === editsMax) continue;
    edited += 1;
    await provider.editComment(comment, body).catch(unlessItIsGone);
  }
}

function unlessItIsGone(error: unknown): void {
  if (!(error instanceof ProviderError) || error.code !== 'provider-not-found') throw error;
}
