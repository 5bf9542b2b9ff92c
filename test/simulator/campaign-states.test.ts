import { describe, expect, it } from 'vitest';
import { aCampaignBody, aSession, CAMPAIGNS, DAY, SECOND, type Session } from './session.ts';

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

const act = (session: Session, id: string, action: (typeof ACTIONS)[number]) =>
  action === 'unsend'
    ? session.call('POST', `${CAMPAIGNS}/${id}/unsend`)
    : session.call('PATCH', `${CAMPAIGNS}/${id}/status`, { status: action });

const statusOf = async (session: Session, id: string) =>
  (await session.call('GET', `${CAMPAIGNS}/${id}`)).body['status'];

describe('a campaign', () => {
  for (const [status, cells] of Object.entries(CELLS)) {
    it.each(ACTIONS.map((action, column) => [action, cells[column]]))(
      `that is ${status} and asked to be %s answers %s`,
      async (action, expected) => {
        const session = aSession();
        const id = session.campaign({ status });
        const { status: code } = await act(session, id, action);
        expect(`${code} ${String(await statusOf(session, id))}`).toBe(expected);
      },
    );
  }

  it('that is archived stays so where the service refuses to bring it back', async () => {
    const session = aSession({ modes: { archivedToActive: 'refuse' } });
    const id = session.campaign({ status: 'archived' });
    expect((await act(session, id, 'active')).status).toBe(409);
    expect(await statusOf(session, id)).toBe('archived');
  });

  it('is active the moment its create is answered', async () => {
    const session = aSession();
    const { status, body } = await session.call('POST', CAMPAIGNS, aCampaignBody());
    expect([status, body['status'], body['account_id']]).toEqual([201, 'active', '101']);
    expect(session.control.oracle().commits).toMatchObject([
      { change: 'create', id: body['id'], cause: { by: 'api', request: 1 } },
    ]);
  });

  it('goes from recalling to recalled by itself', async () => {
    const session = aSession();
    const id = session.campaign();
    await act(session, id, 'unsend');
    session.control.advance(30 * SECOND);
    expect(await statusOf(session, id)).toBe('recalled');
  });

  it('is archived after seven days of pause, and not a moment before', async () => {
    const session = aSession();
    const id = session.campaign();
    await act(session, id, 'paused');
    session.control.advance(6 * DAY);
    await act(session, id, 'paused');
    session.control.advance(DAY - SECOND);
    expect(await statusOf(session, id)).toBe('paused');
    session.control.advance(SECOND);
    expect(await statusOf(session, id)).toBe('archived');
  });

  it('starts its seven days anew with each pause where the service counts so', async () => {
    const session = aSession({ modes: { samePauseRestartsClock: true } });
    const id = session.campaign({ status: 'paused' });
    session.control.advance(6 * DAY);
    await act(session, id, 'paused');
    session.control.advance(6 * DAY);
    expect(await statusOf(session, id)).toBe('paused');
  });
});

describe('the queue of a campaign', () => {
  const delayed = { rules: { send_delay_interval: { min_sec: 60, range_sec: 0 } } };
  const sends = ({ control }: Session) => control.oracle().dispatches.length;

  it('goes out after the delay, once for each trigger that fired while it was active', () => {
    const session = aSession();
    session.campaign({ status: 'paused' });
    session.campaign(delayed);
    expect(session.control.fireTrigger('101', 'welcome_message', 'fan-1')).toBe(1);
    session.control.advance(59 * SECOND);
    expect(sends(session)).toBe(0);
    session.control.advance(SECOND);
    expect(session.control.oracle().dispatch_counts).toMatchObject([{ fan_id: 'fan-1', count: 1 }]);
  });

  it('is held by a pause, goes out on activation, and is cleared by archiving', async () => {
    const session = aSession();
    const kept = session.campaign(delayed);
    const cleared = session.campaign(delayed);
    session.control.fireTrigger('101', 'welcome_message', 'fan-1');
    await act(session, kept, 'paused');
    await act(session, cleared, 'archived');
    session.control.advance(DAY);
    expect(sends(session)).toBe(0);
    await act(session, kept, 'active');
    await act(session, cleared, 'active');
    session.control.advance(DAY);
    expect(session.control.oracle().dispatches).toMatchObject([{ id: kept }]);
  });

  it('goes on during a pause where the service drains it', async () => {
    const session = aSession({ modes: { pausedQueue: 'drain' } });
    const id = session.campaign(delayed);
    session.control.fireTrigger('101', 'welcome_message', 'fan-1');
    await act(session, id, 'paused');
    session.control.advance(60 * SECOND);
    expect(sends(session)).toBe(1);
  });

  it('survives a status change that broke off, until the same request is repeated', async () => {
    const session = aSession();
    const id = session.campaign(delayed);
    session.control.fireTrigger('101', 'welcome_message', 'fan-1');
    session.control.addFault({ operation: 'campaigns.set-status', kind: 'partial_commit', nth: 1 });
    expect((await act(session, id, 'archived')).status).toBe(502);
    expect(await statusOf(session, id)).toBe('archived');
    expect(session.simulator.world.accounts['101']?.campaigns[id]?.queue).toHaveLength(1);
    expect((await act(session, id, 'archived')).status).toBe(204);
    expect(session.simulator.world.accounts['101']?.campaigns[id]?.queue).toHaveLength(0);
  });

  it('still goes out when the change that broke off is left as it is', async () => {
    const session = aSession();
    const id = session.campaign(delayed);
    session.control.fireTrigger('101', 'welcome_message', 'fan-1');
    session.control.addFault({ operation: 'campaigns.set-status', kind: 'partial_commit' });
    await act(session, id, 'archived');
    session.control.advance(60 * SECOND);
    expect(sends(session)).toBe(1);
  });

  it('is cleared by a recall, which takes back what went out in the last 24 hours', async () => {
    const session = aSession();
    const id = session.campaign();
    session.control.fireTrigger('101', 'welcome_message', 'long ago');
    session.control.advance(DAY + SECOND);
    session.control.fireTrigger('101', 'welcome_message', 'today');
    session.control.advance(SECOND);
    await act(session, id, 'unsend');
    expect(session.control.oracle().dispatches).toMatchObject([
      { fan_id: 'long ago', taken_back: false },
      { fan_id: 'today', taken_back: true },
    ]);
  });

  it('stays empty once the campaign has reached its end', () => {
    const session = aSession();
    session.campaign({ rules: { end_at: '2026-06-01T12:00:00Z' } });
    session.campaign({ action: 'start_mimic', messages: [] });
    expect(session.control.fireTrigger('101', 'welcome_message', 'fan-1')).toBe(0);
  });

  it('counts double sends of two campaigns that say the same', () => {
    const session = aSession();
    session.campaign();
    session.campaign();
    session.control.fireTrigger('101', 'welcome_message', 'fan-1');
    session.control.advance(SECOND);
    expect(session.control.oracle().dispatch_counts).toMatchObject([{ fan_id: 'fan-1', count: 2 }]);
  });
});
