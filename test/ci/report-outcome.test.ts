import { expect, it } from 'vitest';
import type { FoundReviews } from '../../src/ci/reviews.ts';
import { markerLine, workspaceDigest } from '../../src/ci/comment.ts';
import { withOutcomes } from '../../src/ci/outcome-comment.ts';
import { reportOutcome } from '../../src/ci/report-outcome.ts';
import { OUTCOMES, type ApplyReport } from '../../src/domain/change.ts';
import type { OwnComment, Provider, PullRequest } from '../../src/provider/provider.ts';
import { memoryRepository } from '../helpers/memory-repository.ts';

const WORKSPACE = workspaceDigest('');
const RUN = { commit: 'c'.repeat(40), url: null };
const BODY_MAX = 60_000;
const MARKER = {
  schema: 'herald/ci/1',
  run: '70',
  artifact: 'plan',
  plan: `sha256:${'1'.repeat(64)}`,
  head: 'a'.repeat(40),
  base: null,
  version: '1.0.0',
} as const;
const BODY = `${markerLine(WORKSPACE, MARKER)}\nThe plan`;
const REPORT: ApplyReport = {
  schema: 'herald/apply/1',
  outcomes: [],
  summary: Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as ApplyReport['summary'],
};

const EVERYTHING = { target: [], exclude: [] };

/** Tells one pull request. `byNow` is its comment at the end of this run. Resolves with the edits. */
async function edits(isEarlier: boolean, byNow: string): Promise<readonly string[]> {
  const edited: string[] = [];
  const comment: OwnComment = { id: '1', pullRequest: 7, url: '', body: BODY };
  const provider: Pick<Provider, 'bodyMax' | 'ownComments' | 'editComment' | 'setStatus'> = {
    bodyMax: BODY_MAX,
    ownComments: async (_number, start) => (byNow.startsWith(start) ? [{ ...comment, body: byNow }] : []),
    editComment: async (_comment, body) => {
      edited.push(body);
      return comment;
    },
    setStatus: async () => undefined,
  };
  const of = { isEarlier, pullRequest: { number: 7 } as PullRequest, comment, marker: MARKER };
  const found: FoundReviews = {
    provider: provider as Provider,
    repository: memoryRepository([]),
    commit: RUN.commit,
    before: null,
    folder: '',
    workspace: WORKSPACE,
    review: { changes: [] },
    targeting: EVERYTHING,
    plans: [],
    found: [{ of, saved: null, changes: [], targeting: EVERYTHING }],
    direct: [],
    unapproved: [],
  };
  await reportOutcome(() => undefined, found, { report: REPORT, run: RUN, state: 'success', notes: [] });
  return edited;
}

it('leaves the comment of an earlier merge alone once its own job has reported its outcome', async () => {
  const told = withOutcomes(BODY, REPORT, RUN, BODY_MAX);
  expect(await edits(true, told)).toEqual([]);
  expect(await edits(true, BODY)).toEqual([told]);
});

it('replaces its own outcome if the job is repeated', async () => {
  const told = withOutcomes(BODY, REPORT, RUN, BODY_MAX);
  expect(await edits(false, told)).toEqual([told]);
});
