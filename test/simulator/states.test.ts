import { describe, expect, it } from 'vitest';
import { aVisit, BROADCASTS, CAMPAIGNS, DAY, HOUR, SECOND, type Visit } from './visit.ts';

const CAMPAIGN_ACTIONS = ['active', 'paused', 'archived', 'unsend'] as const;

/** Answer and status afterwards, for every status × action; a recall shows `recalling` first. */
const CAMPAIGN_CELLS: Record<string, readonly [string, string, string, string]> = {
  //            active         paused         archived         unsend
  active: /*  */ ['204 active', '204 paused', '204 archived', '204 recalling'],
  paused: /*  */ ['204 active', '204 paused', '204 archived', '204 recalling'],
  archived: /**/ ['204 active', '204 paused', '204 archived', '409 archived'],
  recalling: /**/ ['204 active', '204 paused', '204 archived', '409 recalling'],
  recalled: /**/ ['204 active', '204 paused', '204 archived', '409 recalled'],
  unsending: /**/ ['204 active', '204 paused', '204 archived', '409 unsending'],
  unsent: /*  */ ['204 active', '204 paused', '204 archived', '409 unsent'],
};

const changeIn = (list: string) => (visit: Visit, id: string, action: string) =>
  action === 'unsend'
    ? visit.call('POST', `${list}/${id}/unsend`)
    : visit.call('PATCH', `${list}/${id}/status`, { status: action });
const change = changeIn(CAMPAIGNS);

/** Welcomes a fan on the account of all campaigns. */
const welcome = ({ control }: Visit, fan_id: string) =>
  control.fireTrigger({ account_id: '101', trigger: 'welcome_message', fan_id });

const statusOf = async (visit: Visit, id: string) =>
  (await visit.call('GET', `${CAMPAIGNS}/${id}`)).body['status'];

describe('a campaign', () => {
  for (const [status, cells] of Object.entries(CAMPAIGN_CELLS)) {
    it.each(CAMPAIGN_ACTIONS.map((action, column) => [action, cells[column]]))(
      `that is ${status} and asked to be %s answers %s`,
      async (action, expected) => {
        const visit = aVisit();
        const id = visit.campaign({ status });
        const { status: code } = await change(visit, id, action);
        expect(`${code} ${String(await statusOf(visit, id))}`).toBe(expected);
      },
    );
  }

  it('is archived after seven days of pause, and not a moment before', async () => {
    const visit = aVisit();
    const id = visit.campaign();
    await change(visit, id, 'paused');
    visit.control.advance(6 * DAY);
    await change(visit, id, 'paused');
    visit.control.advance(DAY - SECOND);
    expect(await statusOf(visit, id)).toBe('paused');
    visit.control.advance(SECOND);
    expect(await statusOf(visit, id)).toBe('archived');
  });
});

describe('the queue of a campaign', () => {
  const delayed = { rules: { send_delay_interval: { min_sec: 60, range_sec: 0 } } };
  const sends = ({ control }: Visit) => control.oracle().dispatches.length;

  it('goes out after the delay, once for each trigger that fired while it was active', () => {
    const visit = aVisit();
    visit.campaign({ status: 'paused' });
    visit.campaign(delayed);
    expect(welcome(visit, 'fan-1')).toEqual({ queued: 1 });
    visit.control.advance(59 * SECOND);
    expect(sends(visit)).toBe(0);
    visit.control.advance(SECOND);
    expect(visit.control.oracle().dispatch_counts).toMatchObject([{ fan_id: 'fan-1', count: 1 }]);
  });

  it('is held by a pause, goes out on activation, and is cleared by archiving', async () => {
    const visit = aVisit();
    const kept = visit.campaign(delayed);
    const cleared = visit.campaign(delayed);
    welcome(visit, 'fan-1');
    await change(visit, kept, 'paused');
    await change(visit, cleared, 'archived');
    visit.control.advance(DAY);
    expect(sends(visit)).toBe(0);
    await change(visit, kept, 'active');
    await change(visit, cleared, 'active');
    visit.control.advance(DAY);
    expect(visit.control.oracle().dispatches).toMatchObject([{ id: kept }]);
  });

  it('survives a status change that broke off, until the same request is repeated', async () => {
    const visit = aVisit();
    const id = visit.campaign(delayed);
    welcome(visit, 'fan-1');
    visit.control.addFault({ operation: 'campaigns.set-status', kind: 'partial_commit', nth: 1 });
    expect((await change(visit, id, 'archived')).status).toBe(502);
    expect(await statusOf(visit, id)).toBe('archived');
    expect(visit.simulator.world.accounts['101']?.campaigns[id]?.queue).toHaveLength(1);
    expect((await change(visit, id, 'archived')).status).toBe(204);
    expect(visit.simulator.world.accounts['101']?.campaigns[id]?.queue).toHaveLength(0);
  });

  it('is cleared by a recall, which takes back what went out in the last 24 hours', async () => {
    const visit = aVisit();
    const id = visit.campaign();
    welcome(visit, 'long ago');
    visit.control.advance(DAY + SECOND);
    welcome(visit, 'today');
    visit.control.advance(SECOND);
    await change(visit, id, 'unsend');
    expect(visit.control.oracle().dispatches).toMatchObject([
      { fan_id: 'long ago', taken_back: false },
      { fan_id: 'today', taken_back: true },
    ]);
  });
});

const ACTIONS = ['paused', 'queued', 'unsend'] as const;

/** Answer and state afterwards (null where the API does not name it), for every state × action. */
const CELLS: Record<string, readonly [string, string, string]> = {
  //             paused         queued         unsend
  scheduled: /**/ ['200 paused', '409 scheduled', '204 null'],
  queued: /*  */ ['200 paused', '200 queued', '204 null'],
  sending: /* */ ['200 paused', '409 sending', '204 null'],
  paused: /*  */ ['200 paused', '200 scheduled', '204 null'],
  sent: /*    */ ['409 null', '409 null', '204 null'],
  recalled: /**/ ['409 null', '409 null', '204 null'],
  archived: /**/ ['409 archived', '409 archived', '204 archived'],
};

const act = changeIn(BROADCASTS);

const read = async (visit: Visit, id: string) => (await visit.call('GET', `${BROADCASTS}/${id}`)).body;

describe('a broadcast', () => {
  for (const [status, cells] of Object.entries(CELLS)) {
    it.each(ACTIONS.map((action, column) => [action, cells[column]]))(
      `that is ${status} and asked to be %s answers %s`,
      async (action, expected) => {
        const visit = aVisit();
        const id = visit.broadcast({ status });
        const { status: code, body } = await act(visit, id, action);
        const held = (await read(visit, id))['status'];
        expect(`${code} ${String(held)}`).toBe(expected);
        if (code === 200) expect(body).toEqual({ status: held });
      },
    );
  }

  it('resumes as queued, without its schedule, when its hour went by during the pause', async () => {
    const visit = aVisit();
    const id = visit.broadcast({ scheduled_at: '2026-06-01T14:00:00Z' });
    await act(visit, id, 'paused');
    visit.control.advance(3 * HOUR);
    expect((await read(visit, id))['scheduled_at']).toBe('2026-06-01T14:00:00Z');
    expect((await act(visit, id, 'queued')).body).toEqual({ status: 'queued' });
    expect((await read(visit, id))['scheduled_at']).toBeNull();
  });

  it('can be resumed for five days, then reads paused for a while, then is archived', async () => {
    const visit = aVisit();
    const id = visit.broadcast({ scheduled_at: '2026-07-01T14:00:00Z' });
    await act(visit, id, 'paused');
    visit.control.advance(5 * DAY + SECOND);
    expect((await act(visit, id, 'queued')).status).toBe(409);
    visit.control.advance(2 * DAY - 2 * SECOND);
    expect((await read(visit, id))['status']).toBe('paused');
    visit.control.advance(SECOND);
    expect((await read(visit, id))['status']).toBe('archived');
  });

  it('can be recalled within 24 hours of its last change; a pause of what is paused is none', async () => {
    const visit = aVisit();
    const id = visit.broadcast({ status: 'paused' });
    visit.control.advance(DAY - HOUR);
    await act(visit, id, 'paused');
    visit.control.advance(HOUR);
    const late = visit.broadcast({ status: 'paused' });
    expect((await act(visit, id, 'unsend')).status).toBe(204);
    visit.control.advance(DAY + SECOND);
    expect((await act(visit, late, 'unsend')).status).toBe(409);
  });

  it.each(['scheduled', 'paused', 'queued'])(
    'that is %s completes as sent when its end passes',
    async (status) => {
      const visit = aVisit();
      const id = visit.broadcast({ status, rules: { end_at: '2026-06-01T12:00:04Z' } });
      visit.control.advance(4 * SECOND);
      expect((await read(visit, id))['status']).toBeNull();
      expect(visit.control.oracle().dispatches).toHaveLength(0);
    },
  );
});

it('sending reaches every fan once, also when it is paused in the middle and resumed', async () => {
  const visit = aVisit();
  const id = visit.broadcast({ status: 'queued' });
  visit.control.advance(5 * SECOND);
  visit.control.advance(25 * SECOND);
  expect(await read(visit, id)).toMatchObject({ status: 'sending', progress_percent: 60 });
  await act(visit, id, 'paused');
  visit.control.advance(HOUR);
  expect(visit.control.oracle().dispatches).toHaveLength(3);
  await act(visit, id, 'queued');
  visit.control.advance(HOUR);
  const { dispatch_counts } = visit.control.oracle();
  expect(dispatch_counts.map(({ count }) => count)).toEqual([1, 1, 1, 1, 1]);
  expect(await read(visit, id)).toMatchObject({
    status: null,
    progress_percent: 100,
    targeted_recipients_count: 5,
    stats: { sent_messages_count: 5 },
  });
});
