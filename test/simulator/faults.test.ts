import { describe, expect, it } from 'vitest';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';
import {
  aBroadcastBody,
  aCampaignBody,
  answered,
  aVisit,
  BROADCASTS,
  CAMPAIGNS,
  itemsOf,
  SECOND,
  type Visit,
} from './visit.ts';

const create = (visit: Visit) => visit.request('POST', CAMPAIGNS, aCampaignBody());

const committed = ({ control }: Visit) =>
  control.oracle().commits.filter(({ change }) => change === 'create').length;

/** What the caller sees, in one line. */
const seen = (visit: Visit): Promise<string> =>
  create(visit)
    .then(answered)
    .then(
      ({ status, headers, body }) =>
        `${status} ${headers.get('content-type') ?? ''} ${body['id'] === undefined ? 'without id' : 'with id'}`,
      (error: unknown) =>
        error instanceof TypeError ? `${error.message} ${codeOf(error.cause)}` : String(error),
    );

const codeOf = (cause: unknown) =>
  typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';

const WHENS = ['before_commit', 'after_commit'] as const;

const looks = {
  reset: 'fetch failed ECONNRESET',
  '500': '500 application/json without id',
  '502': '502 text/html without id',
  truncated: 'terminated ',
  unreadable: '201 text/html without id',
  'write EPIPE': 'fetch failed EPIPE',
} as const;

for (const when of WHENS) {
  it.each(Object.entries(looks))(`a broken answer by %s ${when} looks like "%s"`, async (how, look) => {
    const visit = aVisit();
    visit.control.addFault({ kind: 'broken_answer', when, how: how as keyof typeof looks });
    expect(await seen(visit)).toBe(look);
    expect(committed(visit)).toBe(when === 'after_commit' ? 1 : 0);
    expect(visit.control.oracle().requests).toMatchObject([{ fault: `broken_answer ${how}` }]);
  });
}

describe('a late commit', () => {
  it.each([10, 65])('appears %i virtual seconds after its lost answer', async (after_sec) => {
    const visit = aVisit();
    visit.control.addFault({ kind: 'late_commit', after_sec, how: 'reset', nth: 1 });
    expect(await seen(visit)).toBe('fetch failed ECONNRESET');
    visit.control.advance(after_sec * SECOND - 1);
    expect(itemsOf(await visit.call('GET', CAMPAIGNS))).toEqual([]);
    visit.control.advance(1);
    expect(itemsOf(await visit.call('GET', CAMPAIGNS))).toMatchObject([{ name: 'Welcome' }]);
    const at = new Date(Date.UTC(2026, 5, 1, 12) + after_sec * SECOND).toISOString();
    expect(visit.control.oracle().commits).toMatchObject([{ at, cause: { by: 'api', request: 1 } }]);
  });

  it('has no effect after the 65 seconds in which the service carries out a request (LIMIT-5)', async () => {
    const visit = aVisit();
    visit.control.addFault({ kind: 'late_commit', after_sec: 66, how: 'reset', nth: 1 });
    await seen(visit);
    visit.control.advance(100 * SECOND);
    expect(visit.control.oracle().commits).toEqual([]);
    visit.control.setModes({ requestTimeoutSec: 90 });
    visit.control.addFault({ kind: 'late_commit', after_sec: 90, how: 'reset', nth: 1 });
    await seen(visit);
    visit.control.advance(90 * SECOND);
    expect(visit.control.oracle().commits).toHaveLength(1);
  });
});

it.each(['after_commit', 'before_commit'] as const)(
  'an answer is cut off after 65 seconds (LIMIT-5): %s',
  async (when) => {
    const visit = aVisit();
    visit.control.addFault({ kind: 'slow', delay_ms: 66_000, when });
    const before = visit.clock.now();
    expect(await seen(visit)).toBe('fetch failed ECONNRESET');
    const commits = visit.control.oracle().commits.map(({ at }) => Date.parse(at) - before);
    expect([visit.clock.now() - before, commits]).toEqual([65_000, [when === 'after_commit' ? 0 : 65_000]]);
  },
);

describe('faults of paging', () => {
  const list = (visit: Visit, offset: number) => visit.call('GET', `${BROADCASTS}?limit=2&offset=${offset}`);
  const names = (answer: Awaited<ReturnType<typeof list>>) => itemsOf(answer).map(({ name }) => name);

  function five(fault: FaultInput): Visit {
    const visit = aVisit();
    for (const name of ['a', 'b', 'c', 'd', 'e']) visit.broadcast({ name });
    visit.control.addFault(fault);
    return visit;
  }

  it('an empty page says that there is more', async () => {
    const visit = five({ kind: 'empty_page', nth: 2 });
    expect(names(await list(visit, 0))).toEqual(['e', 'd']);
    expect((await list(visit, 2)).body).toEqual({ items: [], has_more: true });
    expect(names(await list(visit, 4))).toEqual(['a']);
  });

  it('a repeated page brings the items of the one before', async () => {
    const visit = five({ kind: 'repeated_page', nth: 2 });
    expect(names(await list(visit, 0))).toEqual(['e', 'd']);
    expect(names(await list(visit, 2))).toEqual(['e', 'd']);
    expect(names(await list(visit, 2))).toEqual(['c', 'b']);
  });

  it('a change between two pages shifts the items', async () => {
    const edit = { account_id: '101', kind: 'broadcast', name: 'e', set: { status: 'archived' } } as const;
    const visit = five({ kind: 'change_before', operation: 'broadcasts.list', nth: 2, edit });
    expect(names(await list(visit, 0))).toEqual(['e', 'd']);
    expect(names(await list(visit, 2))).toEqual(['b', 'a']);
  });
});

describe('which calls a fault strikes', () => {
  const gone = { kind: 'broken_answer', when: 'before_commit', how: '500' } as const;

  type Selection = Pick<FaultInput, 'operation' | 'account_id' | 'nth' | 'times'>;

  async function statuses(visit: Visit, count: number): Promise<number[]> {
    const all: number[] = [];
    for (let call = 0; call < count; call += 1) all.push((await create(visit)).status);
    return all;
  }

  it.each<[Selection, number[]]>([
    [{}, [500, 500, 500, 500]],
    [{ nth: 2 }, [201, 500, 201, 201]],
    [{ nth: 2, times: 2 }, [201, 500, 500, 201]],
    [{ times: 1 }, [500, 201, 201, 201]],
    [{ operation: 'campaigns.list' }, [201, 201, 201, 201]],
    [{ operation: 'campaigns.create', times: 2 }, [500, 500, 201, 201]],
    [{ account_id: '102' }, [201, 201, 201, 201]],
  ])('%j: %j', async (selection, expected) => {
    const visit = aVisit();
    visit.control.addFault({ ...gone, ...selection });
    expect(await statuses(visit, 4)).toEqual(expected);
  });

  it('counts calls that were let in: a call without its key is not counted', async () => {
    const visit = aVisit();
    visit.control.addFault({ ...gone, nth: 1 });
    await visit.call('POST', BROADCASTS, aBroadcastBody(), { key: 'wrong' });
    expect(await statuses(visit, 2)).toEqual([500, 201]);
  });
});
