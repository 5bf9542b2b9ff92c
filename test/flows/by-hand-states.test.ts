import { describe, expect, it } from 'vitest';
import { byHand, refused, reported, withBroadcast, withCampaign } from '../helpers/by-hand.ts';
import { messages, outcomes, statuses, writesSent } from '../helpers/flows.ts';

/** What becomes of each status; a word in capitals stands for no request at all. */
const CAMPAIGN_CELLS = {
  activate: {
    active: 'SO',
    paused: 'active',
    archived: 'active',
    recalling: 'CANNOT',
    unsent: 'CANNOT',
    odd: 'CANNOT',
  },
  pause: {
    active: 'paused',
    paused: 'SO',
    archived: 'paused',
    recalling: 'CANNOT',
    unsent: 'CANNOT',
    odd: 'CANNOT',
  },
  archive: {
    active: 'archived',
    paused: 'archived',
    archived: 'SO',
    recalling: 'CANNOT',
    unsent: 'CANNOT',
    odd: 'CANNOT',
  },
  unsend: {
    active: 'recalling',
    paused: 'recalling',
    archived: 'CANNOT',
    recalling: 'SO',
    unsent: 'SO',
    odd: 'CANNOT',
  },
} as const;

const BROADCAST_CELLS = {
  pause: {
    scheduled: 'paused',
    queued: 'paused',
    sending: 'paused',
    paused: 'SO',
    archived: 'CANNOT',
    finished: 'CANNOT',
    odd: 'CANNOT',
  },
  resume: {
    scheduled: 'SO',
    queued: 'SO',
    sending: 'SO',
    paused: 'scheduled',
    archived: 'CANNOT',
    finished: 'CANNOT',
    odd: 'CANNOT',
  },
  unsend: {
    scheduled: null,
    queued: null,
    sending: null,
    paused: null,
    archived: 'archived',
    finished: null,
    odd: null,
  },
} as const;

function cellsOf(table: Readonly<Record<string, Readonly<Record<string, string | null>>>>) {
  return Object.entries(table).flatMap(([verb, row]) =>
    Object.entries(row).map(([status, end]) => ({ verb, status, end })),
  );
}

describe('herald campaigns, by what the campaign is', () => {
  it.each(cellsOf(CAMPAIGN_CELLS))('$verb of $status: $end', async ({ verb, status, end }) => {
    const scene = await withCampaign({ status });
    if (end === 'CANNOT') {
      expect((await refused(scene, 'campaigns', verb, '77')).error).toMatch(/^cannot: Nothing was sent/);
      expect(await writesSent(scene)).toEqual([]);
      return;
    }
    const run = await reported(scene, 'campaigns', verb, '77');
    expect(run.code).toBe(0);
    expect(outcomes(run)).toEqual(end === 'SO' ? [] : [`${verb === 'unsend' ? 'recall' : verb} applied`]);
    expect(await statuses(scene, 'campaign')).toEqual([end === 'SO' ? status : end]);
    expect((await writesSent(scene)).length).toBe(end === 'SO' ? 0 : 1);
    if (end === 'SO') expect(messages(run)).toContain(`It is ${status} already.`);
  });
});

describe('herald broadcasts, by what the broadcast is', () => {
  it.each(cellsOf(BROADCAST_CELLS))('$verb of $status: $end', async ({ verb, status, end }) => {
    const scene = await withBroadcast({ status: status === 'finished' ? null : status });
    if (end === 'CANNOT') {
      expect((await refused(scene, 'broadcasts', verb, '55')).error).toMatch(/^cannot: Nothing was sent/);
      expect(await writesSent(scene)).toEqual([]);
      return;
    }
    const run = await reported(scene, 'broadcasts', verb, '55');
    expect(run.code).toBe(0);
    expect((await writesSent(scene)).length).toBe(end === 'SO' ? 0 : 1);
    if (end !== 'SO') {
      expect(outcomes(run)).toEqual([`${verb === 'unsend' ? 'recall' : verb} applied`]);
      expect(await statuses(scene, 'broadcast')).toEqual([end === null ? 'recalled' : end]);
    }
  });

  it('one with content that cannot be read is paused, and read back from the list', async () => {
    const scene = await withBroadcast({ unreadable: true });
    const run = await reported(scene, 'broadcasts', 'pause', '55');
    expect(outcomes(run)).toEqual(['pause applied']);
    expect(messages(run)).toBe('');
  });
});

describe('what a refusal says', () => {
  // CAMPAIGN-12
  it('an archived campaign is paused first, and the two commands are there to copy', async () => {
    const scene = await withCampaign({ status: 'archived' });
    const { code, hint } = await refused(scene, 'campaigns', 'unsend', '77');
    expect(code).toBe(1);
    expect(hint).toContain(
      'herald campaigns pause 77 --account alice && herald campaigns recall 77 --account alice',
    );
    expect(hint).toContain('last 24 hours');
    for (const verb of ['pause', 'unsend'])
      expect((await byHand(scene, 'campaigns', verb, '77')).code).toBe(0);
    expect(await statuses(scene, 'campaign')).toEqual(['recalling']);
  });

  it('an id that is not there: how many were looked at, and where to look', async () => {
    const scene = await withCampaign();
    const { code, error, hint } = await refused(scene, 'campaigns', 'pause', '78');
    expect(code).toBe(1);
    expect(error).toBe(
      'not-found: campaign 78 was not found on account alice: its list, with archived ones, has 1. Nothing was sent.',
    );
    expect(hint).toContain('herald campaigns list --account alice');
  });

  it('a name instead of an id is refused before anything is read', async () => {
    const scene = await withCampaign();
    expect((await refused(scene, 'campaigns', 'pause', 'Welcome')).error).toContain(
      '"Welcome" is not the id or the address of a campaign',
    );
    expect((await scene.oracle()).requests).toEqual([]);
  });

  it('a list that cannot be read to its end: nothing is switched on', async () => {
    const scene = await withCampaign({ status: 'paused' });
    await scene.fault({
      kind: 'broken_answer',
      operation: 'campaigns.list',
      how: '502',
      when: 'before_commit',
    });
    expect((await refused(scene, 'campaigns', 'activate', '77')).code).toBe(1);
    expect(await writesSent(scene)).toEqual([]);
  });

  it('what the service refuses stands as it answered', async () => {
    const scene = await withBroadcast({ status: null, status_since: '2026-05-20T12:00:00Z' });
    const run = await reported(scene, 'broadcasts', 'unsend', '55');
    expect(run.code).toBe(1);
    expect(outcomes(run)).toEqual(['recall failed']);
    expect(messages(run)).toContain('within 24 hours');
  });

  it('an archived campaign that the service does not switch on again: failed, never created again', async () => {
    const scene = await withCampaign({ status: 'archived' });
    await scene.service((control) => control.setModes({ archivedToActive: 'refuse' }));
    const run = await reported(scene, 'campaigns', 'activate', '77');
    expect(outcomes(run)).toEqual(['activate failed']);
    expect(await writesSent(scene)).toEqual(['PATCH campaigns.set-status']);
  });
});

describe('what would reach fans twice is held back', () => {
  it('a campaign is not switched on next to an active one of its name', async () => {
    const scene = await withCampaign({ status: 'paused' });
    await scene.service((control) => control.seedCampaign('101', { id: '78', name: 'Welcome' }));
    const { code, error, hint } = await refused(scene, 'campaigns', 'activate', '77');
    expect(code).toBe(5);
    expect(error).toContain('78 with the same name is active');
    expect(hint).toBe('Pause it first: herald campaigns pause 78 --account alice');
    expect(await writesSent(scene)).toEqual([]);
    for (const [verb, id] of [
      ['pause', '78'],
      ['activate', '77'],
    ] as const)
      expect((await byHand(scene, 'campaigns', verb, id)).code).toBe(0);
    expect(await statuses(scene, 'campaign')).toEqual(['active', 'paused']);
  });

  it.each([
    ['waits', { status: 'scheduled' }, 5],
    ['is queued', { status: 'queued', scheduled_at: null }, 5],
    ['has gone out', { status: null, scheduled_at: null }, 5],
    ['has a status of tomorrow', { status: 'thinking', scheduled_at: null }, 5],
    ['was stopped half-way', { status: 'paused', scheduled_at: null }, 5],
    ['is paused as well', { status: 'paused' }, 0],
    ['is archived and never left', { status: 'archived', scheduled_at: '2026-05-01T12:00:00Z' }, 0],
    [
      'ended before it left',
      { status: null, scheduled_at: '2026-05-01T12:00:00Z', rules: { end_at: '2026-05-01T20:00:00Z' } },
      0,
    ],
  ] as const)('a broadcast next to one of its name that %s', async (_title, other, code) => {
    const scene = await withBroadcast({ status: 'paused' });
    await scene.service((control) => control.seedBroadcast('101', { id: '56', name: 'Teaser', ...other }));
    const ran = await byHand(scene, 'broadcasts', 'resume', '55', '--force');
    expect(ran.code).toBe(code);
    expect((await writesSent(scene)).length).toBe(code === 0 ? 1 : 0);
    if (code === 5) expect(ran.stderr).toContain('Fans would get it twice');
  });

  // BROADCAST-16
  it('one paused for send errors needs --force', async () => {
    const scene = await withBroadcast({ status: 'paused', pause_reason: 'send_errors' });
    const { code, error, hint } = await refused(scene, 'broadcasts', 'resume', '55');
    expect(code).toBe(5);
    expect(error).toContain('too many send errors');
    expect(hint).toContain('herald broadcasts resume 55 --account alice --force');
    const run = await reported(scene, 'broadcasts', 'resume', '55', '--force');
    expect(outcomes(run)).toEqual(['resume applied']);
    expect(run.stderr).toContain('too many send errors');
  });
});
