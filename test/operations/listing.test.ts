import { setImmediate as soon } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ServiceError, type Problem } from '../../src/api/errors.ts';
import {
  readSources,
  type ListEnd,
  type ListOptions,
  type ListProgress,
  type ListSource,
} from '../../src/operations/listing.ts';
import { fc, runs } from '../helpers/properties.ts';

/** What a source does, one after the other: a page of so many rows, a failure, or a pause of so many turns. */
type Step = number | Error | { readonly turns: number };

interface Account {
  readonly source: ListSource<string>;
  /** Pages that were asked for so far. */
  pagesAsked: number;
  /** Whether its reading was ended from outside, or came to its end. */
  closed: boolean;
}

function anAccount(alias: string, ...steps: readonly Step[]): Account {
  const account: Account = {
    pagesAsked: 0,
    closed: false,
    source: {
      account: alias,
      pages: async function* () {
        let row = 0;
        try {
          for (const step of steps) {
            if (step instanceof Error) throw step;
            if (typeof step === 'object') {
              for (let turn = 0; turn < step.turns; turn += 1) await soon();
              continue;
            }
            account.pagesAsked += 1;
            await soon();
            yield Array.from({ length: step }, () => `${alias}${row++}`);
          }
        } finally {
          account.closed = true;
        }
      },
    },
  };
  return account;
}

async function drain(sources: readonly ListSource<string>[], options?: ListOptions) {
  const rows: string[] = [];
  const reading = readSources(sources, options);
  for (;;) {
    const { done, value } = await reading.next();
    if (done === true) return { rows, end: value };
    expect(value.filter(({ account, item }) => !item.startsWith(account))).toEqual([]);
    for (const { item } of value) rows.push(item);
  }
}

const rowsOf = (alias: string, count: number) => Array.from({ length: count }, (_, row) => `${alias}${row}`);
const refused = (status: number, code: string | null = null) => {
  const problem: Problem = {
    operation: 'fans.list',
    method: 'GET',
    url: 'https://svc.test/x',
    status,
    code,
    what: `answered ${status}`,
    hint: null,
    details: null,
  };
  return new ServiceError(problem);
};
const COMPLETE: ListEnd = { complete: true, failures: [], notRead: [] };

describe('a list over several accounts', () => {
  it('has the rows of one account after the other, no matter which answers first', async () => {
    const accounts = [
      anAccount('a', { turns: 20 }, 2, 1),
      anAccount('b', 3),
      anAccount('c', { turns: 5 }, 0, 1),
    ];
    const { rows, end } = await drain(accounts.map(({ source }) => source));
    expect(rows).toEqual([...rowsOf('a', 3), ...rowsOf('b', 3), ...rowsOf('c', 1)]);
    expect(end).toEqual(COMPLETE);
  });

  it('of no account, or of empty ones, is complete and empty', async () => {
    expect(await drain([])).toEqual({ rows: [], end: COMPLETE });
    expect(await drain([anAccount('a').source, anAccount('b', 0).source])).toEqual({
      rows: [],
      end: COMPLETE,
    });
  });

  it('has the same rows in the same order however long each answer takes', async () => {
    const step = fc.oneof(fc.integer({ min: 0, max: 900 }), fc.record({ turns: fc.nat({ max: 4 }) }));
    const plans = fc.array(fc.array(step, { maxLength: 6 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(plans, fc.integer({ min: 1, max: 4 }), async (steps, parallel) => {
        const accounts = steps.map((of, index) => anAccount(`${'xyzuvw'[index]}`, ...of));
        const { rows, end } = await drain(
          accounts.map(({ source }) => source),
          { parallel },
        );
        const totals = steps.map((of) =>
          of.reduce<number>((sum, at) => sum + (typeof at === 'number' ? at : 0), 0),
        );
        expect(rows).toEqual(totals.flatMap((total, index) => rowsOf(`${'xyzuvw'[index]}`, total)));
        expect(end).toEqual(COMPLETE);
        expect(accounts.every(({ closed }) => closed)).toBe(true);
      }),
      runs(20),
    );
  });

  it('asks several accounts at once, and no more than are allowed', async () => {
    const accounts = ['a', 'b', 'c', 'd'].map((alias) => anAccount(alias, { turns: 3 }, 1));
    const reading = readSources(
      accounts.map(({ source }) => source),
      { parallel: 2 },
    );
    await reading.next();
    expect(accounts.map(({ pagesAsked }) => pagesAsked)).toEqual([1, 1, 0, 0]);
    await reading.return({ ...COMPLETE, complete: false });
  });

  it('reads ahead by a bounded number of rows', async () => {
    const pages = Array.from({ length: 50 }, () => 500);
    const accounts = [anAccount('a', ...pages), anAccount('b', ...pages)];
    const reading = readSources(accounts.map(({ source }) => source));
    await reading.next();
    for (let turn = 0; turn < 100; turn += 1) await soon();
    expect(accounts.map(({ pagesAsked }) => pagesAsked)).toEqual([5, 4]);
    await reading.return({ ...COMPLETE, complete: false });
  });

  it('asks for nothing more once no one takes any more', async () => {
    const pages = Array.from({ length: 50 }, () => 500);
    const accounts = [anAccount('a', ...pages), anAccount('b', ...pages)];
    for await (const rows of readSources(accounts.map(({ source }) => source))) {
      expect(rows).toHaveLength(500);
      break;
    }
    for (let turn = 0; turn < 100; turn += 1) await soon();
    expect(accounts.every(({ pagesAsked, closed }) => pagesAsked <= 5 && closed)).toBe(true);
  });

  it('gives at most so many rows of each account, and leaves the rest unread', async () => {
    const accounts = [anAccount('a', 10, 10, 10), anAccount('b', 3), anAccount('c', 15)];
    const { rows, end } = await drain(
      accounts.map(({ source }) => source),
      { limit: 15 },
    );
    expect(rows).toEqual([...rowsOf('a', 15), ...rowsOf('b', 3), ...rowsOf('c', 15)]);
    expect(end).toEqual(COMPLETE);
    expect(accounts.map(({ pagesAsked, closed }) => [pagesAsked, closed])).toEqual([
      [2, true],
      [1, true],
      [1, true],
    ]);
  });

  it('says how far it is', async () => {
    const heard: ListProgress[] = [];
    const accounts = [anAccount('a', 2, 3), anAccount('b', 1)];
    await drain(
      accounts.map(({ source }) => source),
      { onProgress: (progress) => void heard.push(progress) },
    );
    expect(heard.map(({ rows, accountsDone, accounts: all }) => [rows, accountsDone, all])).toEqual([
      [2, 0, 2],
      [5, 0, 2],
      [5, 1, 2],
      [6, 1, 2],
      [6, 2, 2],
    ]);
  });
});

describe('an account that fails', () => {
  it.each([refused(404), refused(403), refused(502), new Error('incomplete')])(
    'with %s keeps the rows that it gave and stops no other',
    async (error) => {
      const accounts = [anAccount('a', 2), anAccount('b', 3, error, 5), anAccount('c', 1)];
      const { rows, end } = await drain(accounts.map(({ source }) => source));
      expect(rows).toEqual([...rowsOf('a', 2), ...rowsOf('b', 3), ...rowsOf('c', 1)]);
      expect(end).toEqual({ complete: false, failures: [{ account: 'b', error }], notRead: [] });
    },
  );

  it.each([refused(401), refused(403, 'API_KEY_PERMISSION_DENIED')])(
    'with %s stops all that follow, because the key fares no better there',
    async (error) => {
      const accounts = [anAccount('a', 2), anAccount('b', error), anAccount('c', 1), anAccount('d', 1)];
      const { rows, end } = await drain(
        accounts.map(({ source }) => source),
        { parallel: 2 },
      );
      expect(rows).toEqual(rowsOf('a', 2));
      expect(end).toEqual({ complete: false, failures: [{ account: 'b', error }], notRead: ['c', 'd'] });
      expect(accounts[3]?.pagesAsked).toBe(0);
    },
  );

  it('is one of several, in the order of the accounts', async () => {
    const [first, second] = [new Error('first'), new Error('second')];
    const accounts = [anAccount('a', { turns: 9 }, first), anAccount('b', 1), anAccount('c', second)];
    const { end } = await drain(accounts.map(({ source }) => source));
    expect(end.failures).toEqual([
      { account: 'a', error: first },
      { account: 'c', error: second },
    ]);
  });
});
