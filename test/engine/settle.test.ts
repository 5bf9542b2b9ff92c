import { describe, expect, it } from 'vitest';
import type { RunState } from '../../src/engine/run.ts';
import { settle, type ObjectRequest, type Verdict } from '../../src/engine/settle.ts';
import { NOTHING_KNOWN } from '../../src/state/shapes.ts';
import { aClientScene, json } from '../api/client-scene.ts';
import type { Observed } from '../../src/domain/resource.ts';
import { aBroadcast, aCampaign, aLiveBroadcast, aLiveCampaign } from '../helpers/resource-builders.ts';
import { anOpenRequest } from '../plan/facts-of.ts';
import { describeAsked } from '../../src/plan/compare/content.ts';

const WANTED = aCampaign();

const open = ({ kind = 'campaign', ...more }: Partial<ObjectRequest> = {}): ObjectRequest => {
  const asked = JSON.stringify(describeAsked(WANTED, { baseline: ['5'], replaces: [] }));
  return { ...anOpenRequest(WANTED, { operation: 'campaigns.create', asked, ...more }), kind };
};

/** A state that has nothing but what it is asked about, and records everything. */
const STATE: Partial<RunState> = {
  known: () => Promise.resolve(NOTHING_KNOWN),
  stopByHand: () => Promise.resolve(undefined),
  repeat: (entry) => Promise.resolve({ kind: 'begun', entry, seq: 50 }),
  end: () => Promise.resolve(true),
  learn: () => Promise.resolve(),
};

/** What two lists make of a request. What is asked of the service then is answered. */
async function judgeShown(
  request: ObjectRequest,
  ...lists: readonly (readonly Observed[])[]
): Promise<Verdict | undefined> {
  let reads = 0;
  const { client, clock } = aClientScene(({ method, url }) => {
    if (method !== 'GET') return json(undefined, 204);
    const shown = (lists[reads++] ?? []).filter(({ accountId }) => url.includes(`/${accountId}/`));
    return json({ items: shown.map(({ live }) => live), has_more: false });
  });
  const { signal } = new AbortController();
  const own = { client, clock, command: 'apply', settleMs: 75_000, report: () => undefined };
  const run = { ...own, state: STATE as RunState, interrupted: signal };
  const settled = await settle(run, [request], [{ alias: 'alice', accountId: '101' }]);
  return settled?.[0]?.verdict;
}

const MADE = aLiveCampaign({ id: '9' });
const OTHER = aLiveCampaign({ id: '9', messages: [{ text: 'Other words' }] });
const UNREADABLE = aLiveCampaign({ id: '9', action: null, messages: null });
const BEFORE = aLiveCampaign({ id: '5' });

const OF_BROADCAST = { kind: 'broadcast', name: 'Teaser' } as const;
const ACTIVATE = { operation: 'campaigns.set-status', live_id: '9', target: 'active' };
const PAUSE = { ...ACTIVATE, target: 'paused' };
const RESUME = { ...OF_BROADCAST, operation: 'broadcasts.set-status', live_id: '9', target: 'queued' };
const RECALL = { operation: 'campaigns.unsend', live_id: '9' };
const RECALL_BROADCAST = { ...OF_BROADCAST, operation: 'broadcasts.unsend', live_id: '9' };

const FORMLESS = JSON.stringify({
  ...describeAsked(WANTED, { baseline: ['5'], replaces: [] }),
  wanted: { messages: [{}], audience_filters: [{}] },
});

const waits = (status: string) => aLiveBroadcast({ id: '9', status });
const campaignIn = (status: string) => aLiveCampaign({ id: '9', status });

describe('what became of a request without an answer', () => {
  // ERROR-6
  it.each<[string, Partial<ObjectRequest>, readonly Observed[], Verdict['kind']]>([
    ['a create with a new object', {}, [MADE], 'adopted'],
    // ERROR-7
    ['a create of which only older objects show', {}, [BEFORE], 'absent'],
    ['a create of which nothing shows', {}, [], 'absent'],
    ['a create next to a new object with other words', {}, [OTHER], 'unclear'],
    ['a create next to a new object that cannot be read', {}, [UNREADABLE], 'unclear'],
    ['a create with a record that cannot be read', { asked: 'null' }, [MADE], 'unclear'],
    ['a create with a record of another form', { asked: FORMLESS }, [MADE], 'unclear'],
    ['a create with its object on another account', { account_id: '102' }, [MADE], 'absent'],
    ['a pause of a campaign that shows paused', PAUSE, [campaignIn('paused')], 'repeat'],
    ['a pause of a campaign that still runs', PAUSE, [campaignIn('active')], 'absent'],
    ['an activation that shows', ACTIVATE, [campaignIn('active')], 'repeat'],
    ['a status that this version does not know', { ...PAUSE, target: 'frozen' }, [MADE], 'open'],
    ['a status of what the list does not show', PAUSE, [], 'open'],
    ['a resume of what waits', RESUME, [waits('scheduled')], 'done'],
    ['a resume of what has left', RESUME, [waits('sending')], 'done'],
    ['a resume of what is still paused', RESUME, [waits('paused')], 'absent'],
    ['a pause of a broadcast that is paused', { ...RESUME, target: 'paused' }, [waits('paused')], 'done'],
    // CAMPAIGN-13
    ['a recall of what is recalling', RECALL, [campaignIn('recalling')], 'done'],
    ['a recall of what is unsent', RECALL, [campaignIn('unsent')], 'done'],
    ['a recall of what still runs', RECALL, [campaignIn('active')], 'absent'],
    ['a recall of what is paused', RECALL, [campaignIn('paused')], 'absent'],
    ['a recall of what is archived', RECALL, [campaignIn('archived')], 'open'],
    ['a recall of a broadcast', RECALL_BROADCAST, [waits('paused')], 'open'],
  ])('%s', async (_, request, shown, verdict) => {
    expect((await judgeShown(open(request), [], shown))?.kind).toBe(verdict);
  });

  it('adopts the lowest id of several, as numbers', async () => {
    const copies = ['10', '9', '1000000000000000001'].map((id) => aLiveCampaign({ id }));
    expect(await judgeShown(open(), [], copies)).toMatchObject({ object: { live: { id: '9' } } });
  });

  it('counts what only one of both lists shows', async () => {
    expect((await judgeShown(open(), [MADE], []))?.kind).toBe('adopted');
  });

  it('does not take an object of another kind for it', async () => {
    const other = aBroadcast();
    const asked = JSON.stringify(describeAsked(other, { baseline: [], replaces: [] }));
    expect((await judgeShown(open({ asked }), [], [MADE]))?.kind).toBe('unclear');
  });
});
