import { describe, expect, it } from 'vitest';
import { InvalidCallError } from '../../src/api/errors.ts';
import type { Exchange } from '../../src/api/exchange.ts';
import type { BeforeSend } from '../../src/api/request.ts';
import { FRESH_MS, LedgerError } from '../../src/ledger/ledger-errors.ts';
import { sendRecorded, type RecordedRequest } from '../../src/requests/send-recorded.ts';

type End = Exchange<string>['kind'];

const problem = { what: 'it broke' } as never;
const ended = (kind: End, sentAtMs: number): Exchange<string> =>
  kind === 'done'
    ? { kind, reply: 'ok', sentAtMs }
    : kind === 'not_sent'
      ? { kind, problem, withheld: false }
      : kind === 'throttled'
        ? { kind, problem, sentAtMs, retryAfterMs: null }
        : kind === 'unknown'
          ? { kind, problem, sentAtMs, timedOut: false }
          : { kind, problem, sentAtMs };

/** Sends copies that end like this, each `stepMs` after the one before; tells what the ledger heard. */
async function told(
  ends: readonly End[],
  {
    stepMs = 1_000,
    lockLost = () => null,
    lines = [],
    notOnRecord = null,
    ...more
  }: {
    stepMs?: number;
    lines?: string[];
    lockLost?: () => string | null;
    notOnRecord?: string | null;
  } & Partial<RecordedRequest<string>> = {},
): Promise<string[]> {
  let nowMs = 0;
  const begunMs = new Map<string, number>();
  const ledger = {
    ageMs: (entry: string) => nowMs - (begunMs.get(entry) ?? nowMs),
    conclude: async (entry: string, end: { outcome: string; unheard_ms?: number | null }) =>
      void lines.push(`${entry} ${end.outcome} unconfirmed ${end.unheard_ms ?? 'none'}`),
    departs: () => undefined,
    lockLost: () => Promise.resolve(lockLost()),
    othersAgainst: () => Promise.resolve(null),
    leavesAgain: async (entry: string) => {
      lines.push(`${entry} again at ${nowMs}`);
      return notOnRecord;
    },
  };
  const intend = async () => {
    const entry = `e${begunMs.size + 1}`;
    begunMs.set(entry, nowMs);
    lines.push(`${entry} intent`);
    return entry;
  };
  const send = async (beforeSend: BeforeSend): Promise<Exchange<string>> => {
    let last: Exchange<string> | null = null;
    for (const kind of ends) {
      const said = await beforeSend(last);
      if (said !== null) return { kind: 'not_sent', problem, withheld: true };
      last = ended(kind, nowMs);
      nowMs += stepMs;
    }
    return last ?? ended('not_sent', nowMs);
  };
  await sendRecorded(ledger, { intend, send, reasonNotTo: () => null, ...more });
  return lines;
}

describe('a recorded request', () => {
  it.each<[string, readonly End[], string]>([
    ['is done', ['done'], 'e1 done unconfirmed none'],
    ['is refused', ['refused'], 'e1 refused unconfirmed none'],
    ['is answered 429', ['throttled'], 'e1 refused unconfirmed none'],
    ['is never sent', ['not_sent'], 'e1 not_sent unconfirmed none'],
    ['gets no answer', ['unknown'], 'e1 unknown unconfirmed 0'],
    [
      'is done after a 429, which leaves nothing to wait for',
      ['throttled', 'done'],
      'e1 done unconfirmed none',
    ],
    ['is done after a lost copy, which may still land', ['unknown', 'done'], 'e1 done unconfirmed 0'],
    ['is done after a lost copy and a 429', ['unknown', 'throttled', 'done'], 'e1 done unconfirmed 0'],
    ['is done after a 429 and a lost copy', ['throttled', 'unknown', 'done'], 'e1 done unconfirmed 1000'],
    [
      'is refused after a lost copy: that says nothing of it',
      ['unknown', 'refused'],
      'e1 unknown unconfirmed 0',
    ],
    ['is lost twice: the last copy counts', ['unknown', 'unknown'], 'e1 unknown unconfirmed 1000'],
  ])('that %s', async (_title, ends, line) => {
    expect((await told(ends)).at(-1)).toBe(line);
  });

  it('is on record again before each further copy', async () => {
    expect(await told(['throttled', 'unknown', 'done'])).toEqual([
      'e1 intent',
      'e1 again at 1000',
      'e1 again at 2000',
      'e1 done unconfirmed 1000',
    ]);
  });

  it('gets a new entry where its intent grew old and no copy can have been carried out', async () => {
    expect(await told(['throttled', 'done'], { stepMs: FRESH_MS + 1 })).toEqual([
      'e1 intent',
      'e1 not_sent unconfirmed none',
      'e2 intent',
      'e2 done unconfirmed none',
    ]);
  });

  it('gets a new entry where what it goes by was read again', async () => {
    const goesBy = { isTooOld: () => false, wasReadAgain: () => true, refresh: () => null };
    expect(await told(['throttled', 'done'], { goesBy })).toEqual([
      'e1 intent',
      'e1 not_sent unconfirmed none',
      'e2 intent',
      'e2 done unconfirmed none',
    ]);
  });

  it('is not recorded where what it goes by speaks against it now, and says why', async () => {
    const why = new Error('it was sent by another');
    const first = () => Promise.resolve(why.message);
    const refresh = () => ({ first });
    const goesBy = { isTooOld: () => true, wasReadAgain: () => false, refresh, failure: () => why };
    const lines: string[] = [];
    await expect(told(['done'], { lines, goesBy })).rejects.toBe(why);
    expect(lines).toEqual([]);
  });

  it('keeps its entry where a copy may have been carried out, however old it is', async () => {
    expect(await told(['unknown', 'done'], { stepMs: FRESH_MS + 1 })).toEqual([
      'e1 intent',
      `e1 again at ${FRESH_MS + 1}`,
      'e1 done unconfirmed 0',
    ]);
  });

  it('that repeats one of an earlier run stays on its entry, and stays open unless it is done', async () => {
    const earlier = { entry: 'old', sentAtMs: -9 };
    expect(await told(['throttled', 'done'], { earlier })).toEqual([
      'old again at 0',
      'old again at 1000',
      'old done unconfirmed -9',
    ]);
    expect((await told(['refused'], { earlier })).at(-1)).toBe('old unknown unconfirmed -9');
  });

  it('is recorded once it leaves, and not at all where there is a reason not to send it', async () => {
    expect(await told(['done'], { reasonNotTo: () => 'no' })).toEqual([]);
  });

  it('is asked for again once it is on record: a stop by hand may have come just before', async () => {
    let asked = 0;
    const reasonNotTo = () => ((asked += 1) === 2 ? 'stopped by hand' : null);
    expect(await told(['done'], { reasonNotTo })).toEqual(['e1 intent', 'e1 not_sent unconfirmed none']);
  });

  it('that its client refuses to build is closed as not sent, and any other error leaves it open', async () => {
    const lines: string[] = [];
    const sent = (error: Error) =>
      sendRecorded(
        {
          ageMs: () => 0,
          conclude: async (_entry, { outcome }) => void lines.push(outcome),
          departs: () => undefined,
          lockLost: () => Promise.resolve(null),
          othersAgainst: () => Promise.resolve(null),
          leavesAgain: () => Promise.resolve(null),
        },
        {
          intend: () => Promise.resolve('e'),
          send: async (beforeSend) => {
            await beforeSend(null);
            throw error;
          },
          reasonNotTo: () => null,
        },
      );
    await expect(sent(new InvalidCallError('chat.send', ['no']))).rejects.toThrow('was not sent');
    await expect(sent(new Error('a bug'))).rejects.toThrow('a bug');
    expect(lines).toEqual(['not_sent']);
  });

  it('is not sent again where the ledger cannot be written, and its first copy stays unconfirmed', async () => {
    const lines: string[] = [];
    expect(await told(['unknown', 'done'], { lines, notOnRecord: 'the disk is full' })).toEqual([
      'e1 intent',
      'e1 again at 1000',
      'e1 unknown unconfirmed 0',
    ]);
  });

  it('that was answered 429 has failed where its next copy cannot be put on record', async () => {
    const lines: string[] = [];
    const run = told(['throttled', 'done'], { lines, notOnRecord: 'the disk is full' });
    await expect(run).rejects.toThrow(LedgerError);
    expect(lines.at(-1)).toBe('e1 not_sent unconfirmed none');
  });

  it('is not sent, nor sent again, once the run has lost its lock', async () => {
    const lines: string[] = [];
    const run = told(['done'], { lines, lockLost: () => 'another run has it' });
    await expect(run).rejects.toThrow('another run has it');
    expect(lines).toEqual(['e1 intent', 'e1 not_sent unconfirmed none']);
    let asked = 0;
    const lockLost = () => ((asked += 1) > 1 ? 'another run has it' : null);
    expect((await told(['unknown', 'done'], { lockLost })).at(-1)).toBe('e1 unknown unconfirmed 0');
  });

  it('asks for the lock last: whatever comes before it can take long', async () => {
    const asked: string[] = [];
    const reasonNotTo = () => (asked.push('reason'), null);
    const lockLost = () => (asked.push('lock'), null);
    const ended = await told(['throttled', 'done'], { reasonNotTo, lockLost, lines: asked });
    expect(ended).toEqual([
      'reason',
      'e1 intent',
      'reason',
      'lock',
      'reason',
      'e1 again at 1000',
      'reason',
      'lock',
      'e1 done unconfirmed none',
    ]);
  });
});
