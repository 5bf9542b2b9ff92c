import { describe, expect, it } from 'vitest';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';
import {
  aBroadcastBody,
  aCampaignBody,
  answered,
  aSession,
  BROADCASTS,
  CAMPAIGNS,
  itemsOf,
  SECOND,
  type Session,
} from './session.ts';

const create = (session: Session, signal?: AbortSignal) =>
  session.request('POST', CAMPAIGNS, aCampaignBody(), signal === undefined ? {} : { signal });

const committed = ({ control }: Session) =>
  control.oracle().commits.filter(({ change }) => change === 'create').length;

/** What the caller sees, in one line. */
const seen = (session: Session): Promise<string> =>
  create(session)
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

describe('a broken answer', () => {
  const looks = {
    reset: 'fetch failed ECONNRESET',
    '500': '500 application/json without id',
    '502': '502 text/html without id',
    truncated: 'terminated ',
    unreadable: '201 text/html without id',
  } as const;

  for (const when of WHENS) {
    it.each(Object.entries(looks))(`by %s ${when} looks like "%s"`, async (how, look) => {
      const session = aSession();
      session.control.addFault({ kind: 'broken_answer', when, how: how as keyof typeof looks });
      expect(await seen(session)).toBe(look);
      expect(committed(session)).toBe(when === 'after_commit' ? 1 : 0);
      expect(session.control.oracle().requests).toMatchObject([{ fault: 'broken_answer' }]);
    });
  }

  it.each(WHENS)('by timeout %s is no answer until the caller gives up', async (when) => {
    const session = aSession();
    session.control.addFault({ kind: 'broken_answer', when, how: 'timeout' });
    const abort = new AbortController();
    const pending = create(session, abort.signal);
    const expected = when === 'after_commit' ? 1 : 0;
    await expect.poll(() => session.control.oracle().requests[0]?.fault).toBe('broken_answer');
    await expect.poll(() => committed(session)).toBe(expected);
    abort.abort(new Error('gave up'));
    await expect(pending).rejects.toThrow('gave up');
    expect(committed(session)).toBe(expected);
    expect(session.control.oracle().requests).toMatchObject([{ status: null }]);
  });

  it('after the commit hides a refusal too', async () => {
    const session = aSession();
    session.control.addFault({ kind: 'broken_answer', when: 'after_commit', how: '502' });
    expect((await session.call('POST', `${CAMPAIGNS}/1/unsend`)).status).toBe(502);
  });

  it('that is unreadable or cut has a body even where a 204 has none', async () => {
    const session = aSession();
    const id = session.campaign();
    session.control.addFault({ kind: 'broken_answer', when: 'after_commit', how: 'unreadable' });
    const { status, text } = await session.call('PATCH', `${CAMPAIGNS}/${id}/status`, { status: 'paused' });
    expect([status, text]).toEqual([200, '<html><body>OK</body></html>']);
  });
});

describe('a late commit', () => {
  it.each([10, 65, 90])('appears %i virtual seconds after its lost answer', async (after_sec) => {
    const session = aSession();
    session.control.addFault({ kind: 'late_commit', after_sec, how: 'reset', nth: 1 });
    expect(await seen(session)).toBe('fetch failed ECONNRESET');
    session.control.advance(after_sec * SECOND - 1);
    expect(itemsOf(await session.call('GET', CAMPAIGNS))).toEqual([]);
    session.control.advance(1);
    expect(itemsOf(await session.call('GET', CAMPAIGNS))).toMatchObject([{ name: 'Welcome' }]);
    const at = new Date(Date.UTC(2026, 5, 1, 12) + after_sec * SECOND).toISOString();
    expect(session.control.oracle().commits).toMatchObject([{ at, cause: { by: 'api', request: 1 } }]);
  });

  it('undoes what was decided in the meantime', async () => {
    const session = aSession();
    const id = session.campaign();
    const patch = (status: string) => session.call('PATCH', `${CAMPAIGNS}/${id}/status`, { status });
    session.control.addFault({ kind: 'late_commit', after_sec: 40, how: '502', nth: 1 });
    await patch('paused');
    await patch('active');
    session.control.advance(40 * SECOND);
    expect((await session.call('GET', `${CAMPAIGNS}/${id}`)).body['status']).toBe('paused');
  });

  it('of a request that is refused by then has no effect', async () => {
    const session = aSession();
    const id = session.campaign();
    session.control.addFault({ kind: 'late_commit', after_sec: 5, how: '500', nth: 1 });
    await session.call('POST', `${CAMPAIGNS}/${id}/unsend`);
    session.control.editCampaign('101', id, { status: 'archived' });
    session.control.advance(5 * SECOND);
    expect((await session.call('GET', `${CAMPAIGNS}/${id}`)).body['status']).toBe('archived');
  });

  it('is refused at once when the request is not valid', async () => {
    const session = aSession();
    session.control.addFault({ kind: 'late_commit', after_sec: 5 });
    expect((await session.call('POST', CAMPAIGNS, {})).status).toBe(400);
  });
});

describe('other faults of the service and the line', () => {
  it('a slow answer takes its time after the commit', async () => {
    const session = aSession();
    session.control.addFault({ kind: 'slow', delay_ms: 64_000 });
    const before = session.clock.now();
    expect(await seen(session)).toBe('201 application/json with id');
    expect(session.clock.now() - before).toBe(64_000);
    expect(session.control.oracle().commits[0]?.at).toBe('2026-06-01T12:00:00.000Z');
  });

  it('a throttled burst has no effect and is counted', async () => {
    const session = aSession();
    session.control.addFault({ kind: 'throttle', times: 2, retry_after_sec: 7 });
    const first = await session.call('POST', CAMPAIGNS, aCampaignBody());
    expect([first.status, first.headers.get('retry-after')]).toEqual([429, '7']);
    expect(first.body).toEqual({ message: 'Rate limit exceeded' });
    expect((await session.call('POST', CAMPAIGNS, aCampaignBody())).status).toBe(429);
    expect((await session.call('POST', CAMPAIGNS, aCampaignBody())).status).toBe(201);
    expect([session.control.oracle().throttled, committed(session)]).toEqual([2, 1]);
  });

  it('a refused connection reaches nothing', async () => {
    const session = aSession();
    session.control.addFault({ kind: 'connection_refused', nth: 1 });
    expect(await seen(session)).toBe('fetch failed ECONNREFUSED');
    expect(committed(session)).toBe(0);
  });

  it('a lagging list misses only what that call created', async () => {
    const session = aSession();
    session.control.addFault({ kind: 'list_lag', lag_sec: 3, operation: 'campaigns.create', nth: 1 });
    await create(session);
    await create(session);
    expect(itemsOf(await session.call('GET', CAMPAIGNS))).toHaveLength(1);
    session.control.advance(3 * SECOND);
    expect(itemsOf(await session.call('GET', CAMPAIGNS))).toHaveLength(2);
  });

  it('an odd reply has members that no version names', async () => {
    const session = aSession();
    session.campaign();
    session.control.addFault({ kind: 'odd_reply', set: { status: 'hibernating', extra: null } });
    expect(itemsOf(await session.call('GET', CAMPAIGNS))).toMatchObject([
      { status: 'hibernating', extra: null },
    ]);
    expect((await create(session).then(answered)).body).toMatchObject({ status: 'hibernating' });
  });
});

describe('faults of paging', () => {
  const list = (session: Session, offset: number) =>
    session.call('GET', `${BROADCASTS}?limit=2&offset=${offset}`);
  const names = (answer: Awaited<ReturnType<typeof list>>) => itemsOf(answer).map(({ name }) => name);

  function five(fault: FaultInput): Session {
    const session = aSession();
    for (const name of ['a', 'b', 'c', 'd', 'e']) session.broadcast({ name });
    session.control.addFault(fault);
    return session;
  }

  it('an empty page says that there is more', async () => {
    const session = five({ kind: 'empty_page', nth: 2 });
    expect(names(await list(session, 0))).toEqual(['e', 'd']);
    expect((await list(session, 2)).body).toEqual({ items: [], has_more: true });
    expect(names(await list(session, 4))).toEqual(['a']);
  });

  it('a repeated page brings the items of the one before', async () => {
    const session = five({ kind: 'repeated_page', nth: 2 });
    expect(names(await list(session, 0))).toEqual(['e', 'd']);
    expect(names(await list(session, 2))).toEqual(['e', 'd']);
    expect(names(await list(session, 2))).toEqual(['c', 'b']);
  });

  it('a repeated cursor leads back to the same page', async () => {
    const session = aSession();
    const page = (cursor: string) => session.call('GET', `/api/v0/accounts?limit=1${cursor}`);
    const first = await page('');
    const cursor = String(first.body['nextCursor']);
    session.control.addFault({ kind: 'repeated_page' });
    expect((await page(`&cursor=${encodeURIComponent(cursor)}`)).body['nextCursor']).toBe(cursor);
  });

  it('has_more may be missing', async () => {
    const session = five({ kind: 'missing_has_more' });
    expect('has_more' in (await list(session, 0)).body).toBe(false);
  });

  it('a change between two pages shifts the items', async () => {
    const edit = { account_id: '101', kind: 'broadcast', name: 'e', set: { status: 'archived' } } as const;
    const session = five({ kind: 'change_before', operation: 'broadcasts.list', nth: 2, edit });
    expect(names(await list(session, 0))).toEqual(['e', 'd']);
    expect(names(await list(session, 2))).toEqual(['b', 'a']);
  });

  it('a birth between two pages repeats an item', async () => {
    const seed = { account_id: '101', kind: 'broadcast', set: { name: 'f' } } as const;
    const session = five({ kind: 'change_before', operation: 'broadcasts.list', nth: 2, seed });
    expect(names(await list(session, 0))).toEqual(['e', 'd']);
    expect(names(await list(session, 2))).toEqual(['d', 'c']);
  });
});

describe('which calls a fault strikes', () => {
  const gone = { kind: 'broken_answer', when: 'before_commit', how: '500' } as const;

  type Selection = Pick<FaultInput, 'operation' | 'method' | 'account_id' | 'nth' | 'times' | 'probability'>;

  async function statuses(session: Session, count: number): Promise<number[]> {
    const all: number[] = [];
    for (let call = 0; call < count; call += 1) all.push((await create(session)).status);
    return all;
  }

  it.each<[Selection, number[]]>([
    [{}, [500, 500, 500, 500]],
    [{ nth: 2 }, [201, 500, 201, 201]],
    [{ nth: 2, times: 2 }, [201, 500, 500, 201]],
    [{ times: 1 }, [500, 201, 201, 201]],
    [{ operation: 'campaigns.list' }, [201, 201, 201, 201]],
    [{ operation: 'campaigns.create', times: 2 }, [500, 500, 201, 201]],
    [{ method: 'GET' }, [201, 201, 201, 201]],
    [{ account_id: '102' }, [201, 201, 201, 201]],
    [{ probability: 0 }, [201, 201, 201, 201]],
    [{ probability: 1 }, [500, 500, 500, 500]],
  ])('%j: %j', async (selection, expected) => {
    const session = aSession();
    session.control.addFault({ ...gone, ...selection });
    expect(await statuses(session, 4)).toEqual(expected);
  });

  it('by chance is decided by the seed alone', async () => {
    const run = (seed: number) => {
      const session = aSession({ seed });
      session.control.addFault({ ...gone, probability: 0.5 });
      return statuses(session, 30);
    };
    const first = await run(7);
    expect(first).toEqual(await run(7));
    expect(first).not.toEqual(await run(8));
    expect(new Set(first)).toEqual(new Set([201, 500]));
  });

  it('ends when the faults are cleared', async () => {
    const session = aSession();
    session.control.addFault(gone);
    session.control.clearFaults();
    expect(await statuses(session, 1)).toEqual([201]);
  });

  it('is told by calls that were let in: a call without its key is none', async () => {
    const session = aSession();
    session.control.addFault({ ...gone, nth: 1 });
    await session.call('POST', BROADCASTS, aBroadcastBody(), { key: 'wrong' });
    expect(await statuses(session, 2)).toEqual([500, 201]);
  });
});
