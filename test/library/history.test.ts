import { expect, it } from 'vitest';
import { readHistory } from '../../src/library/history.ts';
import type { RequestRow } from '../../src/state/shapes.ts';
import { PAUSE } from '../helpers/state-requests.ts';

const MINUTE_MS = 60_000;
const RUN = { run: 'r', who: 'mia', unheard_copy: 0 } as const;
const ENDED = { ...RUN, outcome: 'done', answer: null, because: null } as const;

const isoAt = (minute: number) => new Date(minute * MINUTE_MS).toISOString();

/** A request in each minute; the number of a row is its minute. */
function minutesOnRecord(minutes: number) {
  const pages: number[] = [];
  const rowAt = (seq: number): RequestRow => {
    const at = seq * MINUTE_MS;
    return { ...PAUSE, ...ENDED, seq, entry: String(seq), sent_at: at, ended_at: at, asked: '{}' };
  };
  const history = async ({ before_seq = 0, limit = 0 }) => {
    const first = Math.min(minutes, before_seq - 1);
    pages.push(first);
    return Array.from({ length: Math.min(limit, first) }, (_, index) => rowAt(first - index));
  };
  return { pages, state: { history } };
}

it.each([
  ['to its first row', {}, 5_500, 6],
  ['no further than the page with the instant', { since: isoAt(4_000) }, 1_501, 2],
  ['until it has enough', { limit: 1_500 }, 1_500, 2],
])('a history is read %s', async (_, range, rows, pages) => {
  const { state, pages: read } = minutesOnRecord(5_500);
  expect(await readHistory(state, range)).toHaveLength(rows);
  expect(read).toHaveLength(pages);
});
