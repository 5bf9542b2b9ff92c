import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Operation } from '../../src/api/catalogue.ts';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';
import { altered } from '../helpers/altered.ts';
import { errorOf, itemOf, SEND } from '../helpers/chats.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, outcomes } from '../helpers/flows.ts';
import { payout, refusedPayout } from '../helpers/payouts.ts';

afterEach(() => vi.unstubAllGlobals());

const failed = (cause: Error) => new TypeError('fetch failed', { cause });
const system = (syscall: string, code: string) =>
  Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
const bare = (code: string, cause?: Error) => Object.assign(new Error(code, { cause }), { code });

/** Ends of an open connection, as Node, its TLS and undici tell them. All but the first look like a failure to connect. */
const ENDS: readonly [string, Error][] = [
  ['read ECONNRESET', failed(system('read', 'ECONNRESET'))],
  ['read EHOSTUNREACH', failed(system('read', 'EHOSTUNREACH'))],
  ['write ENETUNREACH', failed(system('write', 'ENETUNREACH'))],
  ['read ECONNREFUSED inside another error', failed(bare('UND_ERR_SOCKET', system('read', 'ECONNREFUSED')))],
  ['EADDRNOTAVAIL without a system call', failed(bare('EADDRNOTAVAIL'))],
  ['a broken TLS record', failed(bare('ERR_SSL_WRONG_VERSION_NUMBER'))],
  ['EHOSTUNREACH, among several', failed(new AggregateError([system('read', 'EHOSTUNREACH')]))],
];

/** A service with connections that end like this where the simulator's would be reset. */
function ending(end: Error, fault: FaultInput, files: Readonly<Record<string, string>> = {}) {
  const made = altered((_, answer) => answer().catch(() => Promise.reject(end)), { files });
  made.simulator.control.addFault(fault);
  const count = (operation: Operation) =>
    made.simulator.control.oracle().requests.filter((request) => request.operation === operation).length;
  return { ...made, count };
}

/** The request is carried out so much later, and its answer never comes. */
const late = (operation: Operation, after_sec: number): FaultInput => ({
  kind: 'late_commit',
  operation,
  after_sec,
  how: 'reset',
  nth: 1,
});

describe.each(ENDS)('an open connection that ends after the request has left: %s', (_, end) => {
  it('a campaign is looked for, and not created again', async () => {
    const files = declaring({ campaigns: [campaign()] });
    const { scene, count } = ending(end, late('campaigns.create', 30), files);
    const run = await applied(scene);
    expect([run.code, outcomes(run), count('campaigns.create')]).toEqual([0, ['create adopted'], 1]);
  });

  it('a chat message is sent once, and no one says what became of it', async () => {
    const { scene, count } = ending(end, late('chat.send', 3));
    const ran = await scene.herald(...SEND, '--text', 'A word', '--yes', '--format', 'json');
    expect([ran.code, errorOf(ran).code, count('chat.send')]).toEqual([3, 'unknown-outcome', 1]);
  });

  it('a payout that comes late is found, and no other is requested', async () => {
    const { scene, count } = ending(end, late('payouts.request', 3));
    expect((await payout(scene)).item).toMatchObject({ outcome: 'adopted' });
    expect(count('payouts.request')).toBe(1);
  });

  it('a payout that never comes is not requested again', async () => {
    const lost = {
      kind: 'broken_answer',
      operation: 'payouts.request',
      how: 'reset',
      when: 'before_commit',
    } as const;
    const { scene, count } = ending(end, lost);
    expect((await refusedPayout(scene, 3)).code).toBe('unknown-outcome');
    expect(count('payouts.request')).toBe(1);
  });

  it('no second follow runs next to the first', async () => {
    const { scene, simulator } = ending(end, late('fans.follow', 60));
    const follow = ['fans', 'follow', '101001', '--account', 'alice', '--yes', '--format', 'json'];
    const ran = await scene.herald(...follow);
    expect(itemOf(ran)).toMatchObject({ subscribed: true, repeated: true });
    const [first = 0, second = 0] = simulator.control
      .oracle()
      .requests.filter(({ operation }) => operation === 'fans.follow')
      .map(({ at }) => Date.parse(at));
    expect(second - first).toBeGreaterThanOrEqual(75_000);
  });
});
