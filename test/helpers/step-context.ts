import type { Client } from '../../src/api/client.ts';
import { NO_LIST } from '../../src/apply/fresh-list.ts';
import { RepeatBound } from '../../src/apply/repeat-bound.ts';
import type { StepContext } from '../../src/apply/step-context.ts';
import type { Declared } from '../../src/domain/resource.ts';
import { Ledger } from '../../src/ledger/ledger.ts';
import { CallQueue } from '../../src/requests/call-queue.ts';
import { flowClock } from './flow-clock.ts';
import { HELD_LEASE, UNKNOWN_CLOCK_SERVICE } from './ledger-builders.ts';
import { memoryWorkspace } from './memory-workspace.ts';
import { NOON } from './scene.ts';

interface Answered {
  /** The end of every call, as an exchange. */
  readonly exchange: object;
  readonly declared: Declared;
}

/** The context of the create of a resource, with a client that has one answer for every call. */
export async function aStepContext(
  { exchange, declared }: Answered,
  more: Partial<StepContext> = {},
): Promise<StepContext> {
  const clock = flowClock(NOON);
  const client: Pick<Client, 'call' | 'prepare' | 'skewRange'> = {
    call: () => Promise.resolve(exchange as never),
    prepare: () => () => Promise.resolve(exchange as never),
    skewRange: () => null,
  };
  const ledger = await Ledger.open({
    store: memoryWorkspace({}).state.ledger,
    lease: HELD_LEASE,
    clock,
    identity: { run: 'r', who: 'tester' },
    service: UNKNOWN_CLOCK_SERVICE,
  });
  return {
    // Nothing else is used of it.
    client: client as Client,
    clock,
    ledger,
    queue: new CallQueue(),
    stop: new AbortController().signal,
    settleMs: 75_000,
    onWait: () => undefined,
    repeats: new RepeatBound(clock),
    upload: () => Promise.reject(new Error('it uploads nothing')),
    rewritesIn: () => [],
    deniedNow: () => null,
    account: { alias: 'alice', accountId: '101', platformAccountId: null } as never,
    change: { address: declared.address, action: 'create', live_id: null, steps: [] } as never,
    declared,
    byHand: null,
    list: NO_LIST,
    moved: false,
    planned: () => undefined,
    sendsAgain: () => null,
    isOurs: () => false,
    readBacks: null,
    ownStatuses: new Map(),
    createdId: null,
    begun: false,
    listIsOld: false,
    ...more,
  };
}
