import { describe, expect, it } from 'vitest';
import { aSession, BROADCASTS, DAY, HOUR, SECOND, type Session } from './session.ts';

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

const act = (session: Session, id: string, action: (typeof ACTIONS)[number]) =>
  action === 'unsend'
    ? session.call('POST', `${BROADCASTS}/${id}/unsend`)
    : session.call('PATCH', `${BROADCASTS}/${id}/status`, { status: action });

const read = async (session: Session, id: string) => (await session.call('GET', `${BROADCASTS}/${id}`)).body;

describe('a broadcast', () => {
  for (const [status, cells] of Object.entries(CELLS)) {
    it.each(ACTIONS.map((action, column) => [action, cells[column]]))(
      `that is ${status} and asked to be %s answers %s`,
      async (action, expected) => {
        const session = aSession();
        const id = session.broadcast({ status });
        const { status: code, body } = await act(session, id, action);
        const held = (await read(session, id))['status'];
        expect(`${code} ${String(held)}`).toBe(expected);
        if (code === 200) expect(body).toEqual({ status: held });
      },
    );
  }

  it('accepts "queued" while it runs where the service does', async () => {
    const session = aSession({ modes: { resumeOfRunning: 'accept' } });
    const id = session.broadcast();
    expect((await act(session, id, 'queued')).body).toEqual({ status: 'scheduled' });
  });

  it('keeps its schedule when it is paused before, and loses it when it leaves', async () => {
    const session = aSession();
    const id = session.broadcast({ scheduled_at: '2026-06-01T14:00:00Z' });
    await act(session, id, 'paused');
    expect(await read(session, id)).toMatchObject({
      status: 'paused',
      pause_reason: 'manual',
      scheduled_at: '2026-06-01T14:00:00Z',
      scheduled_at_timezone: 'UTC',
    });
    expect((await act(session, id, 'queued')).body).toEqual({ status: 'scheduled' });
    session.control.advance(2 * HOUR);
    expect(await read(session, id)).toMatchObject({
      status: 'queued',
      pause_reason: null,
      scheduled_at: null,
      scheduled_at_timezone: null,
    });
  });

  it('resumes as queued, without its schedule, when its hour went by during the pause', async () => {
    const session = aSession();
    const id = session.broadcast({ scheduled_at: '2026-06-01T14:00:00Z' });
    await act(session, id, 'paused');
    session.control.advance(3 * HOUR);
    expect((await read(session, id))['scheduled_at']).toBe('2026-06-01T14:00:00Z');
    expect((await act(session, id, 'queued')).body).toEqual({ status: 'queued' });
    expect((await read(session, id))['scheduled_at']).toBeNull();
  });

  it('can be resumed for five days, then reads paused for a while, then is archived', async () => {
    const session = aSession();
    const id = session.broadcast({ scheduled_at: '2026-07-01T14:00:00Z' });
    await act(session, id, 'paused');
    session.control.advance(5 * DAY + SECOND);
    expect((await act(session, id, 'queued')).status).toBe(409);
    session.control.advance(2 * DAY - 2 * SECOND);
    expect((await read(session, id))['status']).toBe('paused');
    session.control.advance(SECOND);
    expect((await read(session, id))['status']).toBe('archived');
  });

  it('can be resumed at the very end of the five days', async () => {
    const session = aSession();
    const id = session.broadcast({ status: 'paused', scheduled_at: '2026-07-01T14:00:00Z' });
    session.control.advance(5 * DAY);
    expect((await act(session, id, 'queued')).body).toEqual({ status: 'scheduled' });
  });

  it('can be recalled within 24 hours of its last change; a pause of what is paused is none', async () => {
    const session = aSession();
    const id = session.broadcast({ status: 'paused' });
    session.control.advance(DAY - HOUR);
    await act(session, id, 'paused');
    session.control.advance(HOUR);
    const late = session.broadcast({ status: 'paused' });
    expect((await act(session, id, 'unsend')).status).toBe(204);
    session.control.advance(DAY + SECOND);
    expect((await act(session, late, 'unsend')).status).toBe(409);
  });

  it('counts the automatic completion as a change, so that the recall window starts with it', async () => {
    const session = aSession();
    const id = session.broadcast({ scheduled_at: '2026-06-02T14:00:00Z' });
    session.control.advance(27 * HOUR);
    expect((await read(session, id))['status']).toBeNull();
    session.control.advance(22 * HOUR);
    expect((await act(session, id, 'unsend')).status).toBe(204);
  });

  it('is never recalled twice, however often it is asked', async () => {
    const session = aSession();
    const id = session.broadcast({ status: 'queued' });
    session.control.advance(10 * 60 * SECOND);
    await act(session, id, 'unsend');
    session.control.advance(3 * DAY);
    expect((await act(session, id, 'unsend')).status).toBe(204);
    const { commits, dispatches } = session.control.oracle();
    expect(commits.filter(({ change }) => change === 'unsend')).toHaveLength(1);
    expect(dispatches).toHaveLength(5);
    expect(dispatches.every((dispatch) => dispatch.taken_back)).toBe(true);
  });

  it.each(['scheduled', 'paused', 'queued'])(
    'that is %s completes as sent when its end passes',
    async (status) => {
      const session = aSession({ modes: { queueDelaySec: 7200 } });
      const id = session.broadcast({ status, rules: { end_at: '2026-06-01T13:00:00Z' } });
      session.control.advance(HOUR);
      expect((await read(session, id))['status']).toBeNull();
      expect(session.control.oracle().dispatches).toHaveLength(0);
    },
  );

  it('says "sent" at its end where the service names that state', async () => {
    const session = aSession({ modes: { endedStatus: 'sent' } });
    const id = session.broadcast({ status: null });
    expect((await read(session, id))['status']).toBe('sent');
  });
});

describe('sending', () => {
  it('reaches every fan once, also when it is paused in the middle and resumed', async () => {
    const session = aSession();
    const id = session.broadcast({ status: 'queued' });
    session.control.advance(5 * SECOND);
    session.control.advance(25 * SECOND);
    expect(await read(session, id)).toMatchObject({ status: 'sending', progress_percent: 60 });
    await act(session, id, 'paused');
    session.control.advance(HOUR);
    expect(session.control.oracle().dispatches).toHaveLength(3);
    await act(session, id, 'queued');
    session.control.advance(HOUR);
    const { dispatch_counts } = session.control.oracle();
    expect(dispatch_counts.map(({ count }) => count)).toEqual([1, 1, 1, 1, 1]);
    expect(await read(session, id)).toMatchObject({
      status: null,
      progress_percent: 100,
      targeted_recipients_count: 5,
      stats: { sent_messages_count: 5 },
    });
  });

  it('runs at most three broadcasts at once, and all of them in the end', () => {
    const session = aSession();
    for (let count = 0; count < 8; count += 1) session.broadcast({ status: 'queued' });
    session.control.advance(5 * SECOND);
    expect(session.control.oracle().live['101']?.broadcasts).toEqual({ queued: 5, sending: 3 });
    session.control.advance(60 * SECOND);
    expect(session.control.oracle().live['101']?.broadcasts).toEqual({ queued: 2, sending: 3, sent: 3 });
    session.control.advance(HOUR);
    expect(session.control.oracle().live['101']?.broadcasts).toEqual({ sent: 8 });
    expect(session.control.oracle().dispatches).toHaveLength(40);
  });
});
