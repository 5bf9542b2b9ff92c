import { describe, expect, it } from 'vitest';
import { aCampaignBody, aVisit, CAMPAIGNS, DAY, SECOND, type Visit } from './visit.ts';

const ACTIONS = ['active', 'paused', 'archived', 'unsend'] as const;

/** Answer and status afterwards, for every status × action; a recall shows `recalling` first. */
const CELLS: Record<string, readonly [string, string, string, string]> = {
  //            active         paused         archived         unsend
  active: /*  */ ['204 active', '204 paused', '204 archived', '204 recalling'],
  paused: /*  */ ['204 active', '204 paused', '204 archived', '204 recalling'],
  archived: /**/ ['204 active', '204 paused', '204 archived', '409 archived'],
  recalling: /**/ ['204 active', '204 paused', '204 archived', '409 recalling'],
  recalled: /**/ ['204 active', '204 paused', '204 archived', '409 recalled'],
  unsending: /**/ ['204 active', '204 paused', '204 archived', '409 unsending'],
  unsent: /*  */ ['204 active', '204 paused', '204 archived', '409 unsent'],
};

const act = (visit: Visit, id: string, action: (typeof ACTIONS)[number]) =>
  action === 'unsend'
    ? visit.call('POST', `${CAMPAIGNS}/${id}/unsend`)
    : visit.call('PATCH', `${CAMPAIGNS}/${id}/status`, { status: action });

const statusOf = async (visit: Visit, id: string) =>
  (await visit.call('GET', `${CAMPAIGNS}/${id}`)).body['status'];

describe('a campaign', () => {
  for (const [status, cells] of Object.entries(CELLS)) {
    it.each(ACTIONS.map((action, column) => [action, cells[column]]))(
      `that is ${status} and asked to be %s answers %s`,
      async (action, expected) => {
        const visit = aVisit();
        const id = visit.campaign({ status });
        const { status: code } = await act(visit, id, action);
        expect(`${code} ${String(await statusOf(visit, id))}`).toBe(expected);
      },
    );
  }

  it('that is archived stays so where the service refuses to bring it back', async () => {
    const visit = aVisit({ modes: { archivedToActive: 'refuse' } });
    const id = visit.campaign({ status: 'archived' });
    expect((await act(visit, id, 'active')).status).toBe(409);
    expect(await statusOf(visit, id)).toBe('archived');
  });

  it('is active the moment its create is answered', async () => {
    const visit = aVisit();
    const { status, body } = await visit.call('POST', CAMPAIGNS, aCampaignBody());
    expect([status, body['status'], body['account_id']]).toEqual([201, 'active', '101']);
    expect(visit.control.oracle().commits).toMatchObject([
      { change: 'create', id: body['id'], cause: { by: 'api', request: 1 } },
    ]);
  });

  it('goes from recalling to recalled by itself', async () => {
    const visit = aVisit();
    const id = visit.campaign();
    await act(visit, id, 'unsend');
    visit.control.advance(30 * SECOND);
    expect(await statusOf(visit, id)).toBe('recalled');
  });

  it('is archived after seven days of pause, and not a moment before', async () => {
    const visit = aVisit();
    const id = visit.campaign();
    await act(visit, id, 'paused');
    visit.control.advance(6 * DAY);
    await act(visit, id, 'paused');
    visit.control.advance(DAY - SECOND);
    expect(await statusOf(visit, id)).toBe('paused');
    visit.control.advance(SECOND);
    expect(await statusOf(visit, id)).toBe('archived');
  });

  it('starts its seven days again with each pause where the service counts so', async () => {
    const visit = aVisit({ modes: { samePauseRestartsClock: true } });
    const id = visit.campaign({ status: 'paused' });
    visit.control.advance(6 * DAY);
    await act(visit, id, 'paused');
    visit.control.advance(6 * DAY);
    expect(await statusOf(visit, id)).toBe('paused');
  });
});

describe('the queue of a campaign', () => {
  const delayed = { rules: { send_delay_interval: { min_sec: 60, range_sec: 0 } } };
  const sends = ({ control }: Visit) => control.oracle().dispatches.length;

  it('goes out after the delay, once for each trigger that fired while it was active', () => {
    const visit = aVisit();
    visit.campaign({ status: 'paused' });
    visit.campaign(delayed);
    expect(visit.control.fireTrigger('101', 'welcome_message', 'fan-1')).toBe(1);
    visit.control.advance(59 * SECOND);
    expect(sends(visit)).toBe(0);
    visit.control.advance(SECOND);
    expect(visit.control.oracle().dispatch_counts).toMatchObject([{ fan_id: 'fan-1', count: 1 }]);
  });

  it('is held by a pause, goes out on activation, and is cleared by archiving', async () => {
    const visit = aVisit();
    const kept = visit.campaign(delayed);
    const cleared = visit.campaign(delayed);
    visit.control.fireTrigger('101', 'welcome_message', 'fan-1');
    await act(visit, kept, 'paused');
    await act(visit, cleared, 'archived');
    visit.control.advance(DAY);
    expect(sends(visit)).toBe(0);
    await act(visit, kept, 'active');
    await act(visit, cleared, 'active');
    visit.control.advance(DAY);
    expect(visit.control.oracle().dispatches).toMatchObject([{ id: kept }]);
  });

  it('goes on during a pause where the service drains it', async () => {
    const visit = aVisit({ modes: { pausedQueue: 'drain' } });
    const id = visit.campaign(delayed);
    visit.control.fireTrigger('101', 'welcome_message', 'fan-1');
    await act(visit, id, 'paused');
    visit.control.advance(60 * SECOND);
    expect(sends(visit)).toBe(1);
  });

  it('survives a status change that broke off, until the same request is repeated', async () => {
    const visit = aVisit();
    const id = visit.campaign(delayed);
    visit.control.fireTrigger('101', 'welcome_message', 'fan-1');
    visit.control.addFault({ operation: 'campaigns.set-status', kind: 'partial_commit', nth: 1 });
    expect((await act(visit, id, 'archived')).status).toBe(502);
    expect(await statusOf(visit, id)).toBe('archived');
    expect(visit.simulator.world.accounts['101']?.campaigns[id]?.queue).toHaveLength(1);
    expect((await act(visit, id, 'archived')).status).toBe(204);
    expect(visit.simulator.world.accounts['101']?.campaigns[id]?.queue).toHaveLength(0);
  });

  it('still goes out when the change that broke off is left as it is', async () => {
    const visit = aVisit();
    const id = visit.campaign(delayed);
    visit.control.fireTrigger('101', 'welcome_message', 'fan-1');
    visit.control.addFault({ operation: 'campaigns.set-status', kind: 'partial_commit' });
    await act(visit, id, 'archived');
    visit.control.advance(60 * SECOND);
    expect(sends(visit)).toBe(1);
  });

  it('is cleared by a recall, which takes back what went out in the last 24 hours', async () => {
    const visit = aVisit();
    const id = visit.campaign();
    visit.control.fireTrigger('101', 'welcome_message', 'long ago');
    visit.control.advance(DAY + SECOND);
    visit.control.fireTrigger('101', 'welcome_message', 'today');
    visit.control.advance(SECOND);
    await act(visit, id, 'unsend');
    expect(visit.control.oracle().dispatches).toMatchObject([
      { fan_id: 'long ago', taken_back: false },
      { fan_id: 'today', taken_back: true },
    ]);
  });

  it('stays empty once the campaign has reached its end', () => {
    const visit = aVisit();
    visit.campaign({ rules: { end_at: '2026-06-01T12:00:00Z' } });
    visit.campaign({ action: 'start_mimic', messages: [] });
    expect(visit.control.fireTrigger('101', 'welcome_message', 'fan-1')).toBe(0);
  });

  it('counts double sends of two campaigns that say the same', () => {
    const visit = aVisit();
    visit.campaign();
    visit.campaign();
    visit.control.fireTrigger('101', 'welcome_message', 'fan-1');
    visit.control.advance(SECOND);
    expect(visit.control.oracle().dispatch_counts).toMatchObject([{ fan_id: 'fan-1', count: 2 }]);
  });
});
