import { beforeEach, expect, it } from 'vitest';
import type { Plan } from '../../../src/domain/change.ts';
import type { EventStore } from '../../../src/domain/event-store.ts';
import { systemClock } from '../../../src/host/clock.ts';
import { withBlockedMessages } from '../../../src/operations/events/blocked-findings.ts';
import { State, type StateLocation } from '../../../src/state/state.ts';
import type { NewRequest } from '../../../src/state/shapes.ts';
import { addAll, anEvent, eventStoreAt } from '../../helpers/event-builders.ts';
import { NOON } from '../../helpers/scene.ts';
import { CREATE, FROM_START } from '../../helpers/state-requests.ts';
import { aRun, kept, stateFolder } from '../../helpers/states.ts';

const DAY_MS = 86_400_000;
const CHAT = '5550001';
const GUARD = { event: 'firewall.message_guard.violation.svc_api', account_id: 101, svc_api_token_id: 5 };
const SEND: NewRequest = {
  operation: 'chat.send',
  command: 'chat send',
  account: 'alice',
  account_id: '101',
  kind: 'message',
  name: CHAT,
  live_id: null,
  target: null,
  purpose: null,
  content: null,
  asked: {},
};

let location: StateLocation;
let events: EventStore;
let nowMs = NOON;
beforeEach(() => {
  location = { kind: 'sqlite', directory: stateFolder() };
  events = eventStoreAt(location);
  nowMs = NOON;
});
const take = () => kept(State.take(aRun(location, { clock: { ...systemClock, now: () => nowMs } }), 0));

async function send(state: State, sendId: string): Promise<void> {
  const begun = await state.begin(SEND, null);
  if (begun.kind === 'begun') await state.end(begun.entry, { outcome: 'done', live_id: sendId });
}

/** What a drift finds in addition. */
async function findings(state: State, isWanted: (item: { readonly kind: string }) => boolean = () => true) {
  const plan = { diagnostics: [] } as unknown as Plan;
  const accounts = [{ alias: 'alice', accountId: '101' }];
  const { diagnostics } = await withBlockedMessages(plan, { events, state, accounts, isWanted, nowMs });
  return diagnostics.map(({ severity, code, address, message }) => ({ severity, code, address, message }));
}

it('a blocked chat message is named until another one was sent to its chat', async () => {
  const state = await take();
  await send(state, 'send-0001');
  await addAll(events, anEvent({ ...GUARD, send_id: 'send-0001', chat_id: CHAT }, NOON + 60_000));
  nowMs = NOON + 120_000;
  expect(await findings(state)).toMatchObject([
    {
      severity: 'warning',
      address: `alice/message/${CHAT}`,
      message: expect.stringContaining(`To send another text: herald chat send ${CHAT} --account alice`),
    },
  ]);
  expect(await findings(state, ({ kind }) => kind === 'campaign')).toEqual([]);
  await send(state, 'send-0002');
  expect(await findings(state)).toEqual([]);
});

it('a blocked chat message is named for a week', async () => {
  const state = await take();
  await send(state, 'send-0001');
  await addAll(events, anEvent({ ...GUARD, send_id: 'send-0001' }, NOON + 60_000));
  nowMs = NOON + 6.9 * DAY_MS;
  expect(await findings(state)).toHaveLength(1);
  nowMs = NOON + 7.1 * DAY_MS;
  expect(await findings(state)).toEqual([]);
});

it('a campaign with blocked messages is named however old it is, until it is replaced or stopped', async () => {
  const state = await take();
  const begun = await state.begin(CREATE, FROM_START);
  if (begun.kind !== 'begun') throw new Error('refused');
  const object = { account_id: '101', kind: 'campaign', live_id: '77', name: 'Welcome' } as const;
  await state.end(begun.entry, { outcome: 'done', live_id: '77' }, [
    { kind: 'object', object: { ...object, ours: 1 } },
    { kind: 'status', object, status: 'active', by: 'apply', why: null, seq: begun.seq },
  ]);
  await addAll(events, anEvent({ ...GUARD, campaign_id: 77 }), anEvent({ ...GUARD, campaign_id: 77, n: 2 }));
  nowMs = NOON + 30 * DAY_MS;
  expect(await findings(state)).toMatchObject([
    { address: 'alice/campaign/Welcome', message: expect.stringContaining('blocked 2 messages of it') },
  ]);
  await state.learn([{ kind: 'object', object: { ...object, replaced_by: '78' } }]);
  expect(await findings(state)).toEqual([]);
});

it('an event that fits nothing is named next to its account, and one of another account is not', async () => {
  const state = await take();
  await addAll(events, anEvent({ ...GUARD, chat_id: '999' }), anEvent({ ...GUARD, account_id: 202, n: 2 }));
  expect(await findings(state)).toMatchObject([
    { severity: 'info', message: expect.stringContaining('blocked a message of alice') },
  ]);
});

it('events that cannot be read are named', async () => {
  events = { ...events, read: () => Promise.reject(new Error('the disk is gone.')) };
  expect(await findings(await take())).toMatchObject([
    { code: 'events-not-read', message: expect.stringContaining('cannot be read: the disk is gone.') },
  ]);
});
