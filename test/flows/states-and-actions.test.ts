import { describe, expect, it } from 'vitest';
import type { Step } from '../../src/domain/change.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { createWorld } from '../../src/simulator/world.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied, planned } from '../helpers/flows.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { aScene, NOON } from '../helpers/scene.ts';

const EVERYTHING = ['adopt', 'resume', 'recall', 'large', 'prune'].flatMap((name) => ['--allow', name]);
const ID = '500';

/** What each step asks of an object that exists. */
const CALLS = {
  pause: { method: 'PATCH', path: '/status', body: { status: 'paused' } },
  archive: { method: 'PATCH', path: '/status', body: { status: 'archived' } },
  activate: { method: 'PATCH', path: '/status', body: { status: 'active' } },
  reactivate: { method: 'PATCH', path: '/status', body: { status: 'active' } },
  resume: { method: 'PATCH', path: '/status', body: { status: 'queued' } },
  recall: { method: 'POST', path: '/unsend', body: null },
} as const;
type Call = keyof typeof CALLS;
const isCall = (kind: string): kind is Call => kind in CALLS;

const OF_CAMPAIGNS: readonly Call[] = ['pause', 'archive', 'activate', 'reactivate', 'recall'];
const OF_BROADCASTS: readonly Call[] = ['pause', 'resume', 'recall'];

const CAMPAIGN_STATES = [
  'active',
  'paused',
  'archived',
  'recalling',
  'recalled',
  'unsending',
  'unsent',
  'brand-new-word',
];
const BROADCAST_STATES = [
  { title: 'scheduled', set: { status: 'scheduled', scheduled_at: '2026-06-01T15:00:00Z' } },
  { title: 'paused before it left', set: { status: 'paused', scheduled_at: '2026-06-01T15:00:00Z' } },
  {
    title: 'paused by send errors',
    set: { status: 'paused', scheduled_at: '2026-06-01T15:00:00Z', pause_reason: 'send_errors' },
  },
  { title: 'paused after it left', set: { status: 'paused', scheduled_at: null } },
  { title: 'queued', set: { status: 'queued', scheduled_at: null } },
  { title: 'sending', set: { status: 'sending', scheduled_at: null } },
  { title: 'finished', set: { status: null, scheduled_at: null } },
  { title: 'archived', set: { status: 'archived', scheduled_at: null } },
] as const;

describe('what the planner sends in a state, the service accepts there', () => {
  it.each(CAMPAIGN_STATES)('a campaign that is %s', async (status) => {
    const refused = await refusedActions('campaign', OF_CAMPAIGNS, { status });
    for (const target of ['active', 'paused', 'archived', 'recalled']) {
      for (const text of ['Hey', 'Another']) {
        const scene = aScene({ files: declaring({ campaigns: [campaign({ status: target })] }) });
        await scene.service((control) =>
          control.seedCampaign('101', { id: ID, name: 'Welcome', status, messages: [{ text }] }),
        );
        await expectAccepted(scene, refused, `declared ${target}, live ${status} with ${text}`);
      }
    }
  });

  // BROADCAST-19
  it.each(BROADCAST_STATES)('a broadcast that is $title', async ({ set, title }) => {
    const refused = await refusedActions('broadcast', OF_BROADCASTS, set);
    for (const target of ['scheduled', 'paused', 'recalled']) {
      for (const text of ['Tomorrow', 'Another']) {
        for (const scheduled_at of ['2026-06-01T15:00Z', '2026-06-01T16:00Z', '2026-06-01T12:00Z']) {
          const scene = aScene({
            files: declaring({ broadcasts: [broadcast({ status: target, scheduled_at })] }),
          });
          await scene.service((control) =>
            control.seedBroadcast('101', { id: ID, name: 'Teaser', messages: [{ text }], ...set }),
          );
          await expectAccepted(
            scene,
            refused,
            `declared ${target} at ${scheduled_at}, live ${title} with ${text}`,
          );
        }
      }
    }
  });
});

describe('what the service refuses', () => {
  it('is what its document says', async () => {
    const table = await Promise.all(
      CAMPAIGN_STATES.map(
        async (status) =>
          `${status}: ${(await refusedActions('campaign', OF_CAMPAIGNS, { status })).join(' ')}`,
      ),
    );
    expect(table).toEqual([
      'active: ',
      'paused: ',
      'archived: recall',
      'recalling: recall',
      'recalled: recall',
      'unsending: recall',
      'unsent: recall',
      'brand-new-word: recall',
    ]);
    const ofBroadcasts = await Promise.all(
      BROADCAST_STATES.map(
        async ({ title, set }) =>
          `${title}: ${(await refusedActions('broadcast', OF_BROADCASTS, set)).join(' ')}`,
      ),
    );
    expect(ofBroadcasts).toEqual([
      'scheduled: resume',
      'paused before it left: ',
      'paused by send errors: ',
      'paused after it left: ',
      'queued: ',
      'sending: resume',
      'finished: pause resume',
      'archived: pause resume',
    ]);
  });
});

async function expectAccepted(
  scene: ReturnType<typeof aScene>,
  refused: readonly Call[],
  what: string,
): Promise<void> {
  const { plan } = await planned(scene, ...EVERYTHING);
  const first = plan.changes.flatMap(({ steps }) => firstTouch(steps));
  expect(
    first.filter((kind) => refused.includes(kind)),
    what,
  ).toEqual([]);
  await applied(scene, ...EVERYTHING);
  const { requests } = await scene.oracle();
  expect(
    requests.filter(({ status }) => status !== null && status >= 400).map(({ path }) => path),
    what,
  ).toEqual([]);
}

/** The first call that the steps make about the object: later ones meet another state. */
function firstTouch(steps: readonly Step[]): Call[] {
  const [first] = steps.filter(({ kind, live_id }) => live_id === ID && isCall(kind));
  return first !== undefined && isCall(first.kind) ? [first.kind] : [];
}

/** Every call that a simulator refuses for an object in this state, each tried on a world of its own. */
async function refusedActions(
  kind: 'campaign' | 'broadcast',
  calls: readonly Call[],
  set: object,
): Promise<Call[]> {
  const refused: Call[] = [];
  for (const call of calls) {
    const simulator = createSimulator(createWorld(), { clock: flowClock(NOON) });
    if (kind === 'campaign') simulator.control.seedCampaign('101', { id: ID, ...set });
    else simulator.control.seedBroadcast('101', { id: ID, ...set });
    const list = kind === 'campaign' ? 'auto-message-campaigns' : 'priority-mass-message-campaigns';
    const { method, path, body } = CALLS[call];
    const response = await simulator.fetch(
      new Request(`http://simulator.test/api/v0/accounts/101/${list}/${ID}${path}`, {
        method,
        headers: {
          'x-svc-auth-token': 'sim-key',
          ...(body === null ? {} : { 'content-type': 'application/json' }),
        },
        body: body === null ? null : JSON.stringify(body),
      }),
    );
    if (response.status >= 400) refused.push(call);
  }
  return refused;
}
