import { joined, shown, type Visible } from '../domain/visible.ts';
import type { CiStatus } from './status-shape.ts';

const SHORT = 12;

/** The status as lines for people. */
export function statusWords(status: CiStatus): Visible {
  const { notes, next } = status;
  return joined(
    [
      jobWords(status),
      ...pullRequestWords(status),
      ...stateWords(status),
      ...notes.map((note) => shown`Not known: ${note}`),
      ...(next === null ? [] : [shown`Next: ${next}`]),
    ],
    '\n',
  );
}

const PROVIDERS = { github: 'GitHub', gitlab: 'GitLab', generic: 'none that Herald knows' } as const;

function jobWords({ job }: CiStatus): Visible {
  const where = job.repository === null ? '' : `, repository ${job.repository}`;
  const run = job.run_url === null ? '' : `, run ${job.run_url}`;
  const event = job.event === 'other' ? '' : `, event ${job.event}`;
  return shown`Provider: ${PROVIDERS[job.provider]}${where}${event}${run}.`;
}

function pullRequestWords({ pull_request: pull, review }: CiStatus): readonly Visible[] {
  if (pull === null) return [];
  const head = pull.head.slice(0, SHORT);
  const first = shown`Pull request: ${pull.number}, ${pull.state}, by ${pull.author}, at ${head}: ${pull.title}`;
  if (review === null) return [first, shown`Plan: none in a comment.`];
  const made = `made by Herald ${review.version} for ${review.head.slice(0, SHORT)}`;
  return [
    first,
    review.because === null
      ? shown`Plan: ${(review.plan ?? '').slice(0, 'sha256:'.length + SHORT)}, ${made}. It is valid.`
      : shown`Plan: ${made}. It is not valid, because ${review.because}.`,
  ];
}

function stateWords({ state }: CiStatus): readonly Visible[] {
  if (state === null) return [];
  const lease = state.lease === null ? 'free' : `held by ${state.lease}`;
  return [shown`State: ${state.place}; the lease is ${lease}.`];
}
