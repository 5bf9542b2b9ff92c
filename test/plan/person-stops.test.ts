import { describe, expect, it } from 'vitest';
import type { Allowance } from '../../src/domain/allowance.ts';
import { ARCHIVED_AFTER_MS } from '../../src/domain/campaign.ts';
import type { KnownObject } from '../../src/domain/knowledge.ts';
import {
  aBroadcast,
  aCampaign,
  aLiveBroadcast,
  aLiveCampaign,
  knowing,
} from '../helpers/resource-builders.ts';
import { HOUR, linesOf, NOON, planOf } from './plan-of.ts';

const OTHER = [{ text: 'Another text' }];
const THIRD = [{ text: 'A third text' }];
const RESUME = { allow: new Set<Allowance>(['resume']) };

type Stop = Partial<KnownObject>;
const OUTSIDE: Stop = { pausedFor: null };
const BY_HAND: Stop = { pausedFor: 'by_hand', pausedAtMs: NOON - HOUR };
const BY_APPLY: Stop = { pausedFor: 'replace', pausedAtMs: NOON - HOUR };
const DUPLICATE: Stop = { pausedFor: 'duplicate' };

/** Version 1 runs with another text, version 2 has the declared one and was stopped. */
describe('a campaign that a person took back to an older version', () => {
  const old = aLiveCampaign({ id: '1', messages: OTHER });
  const REPLACE = 'replace 1: pause 1, create, read_back';

  it.each([
    ['paused', 'paused', BY_HAND, 'blocked 1 needs resume'],
    ['paused', 'paused', OUTSIDE, 'blocked 1 needs resume'],
    ['paused', 'paused', BY_APPLY, REPLACE],
    ['archived', 'archived', BY_HAND, 'blocked 1 needs resume'],
    ['archived', 'archived', OUTSIDE, 'blocked 1 needs resume'],
    ['archived', 'archived', BY_APPLY, REPLACE],
    ['recalled', 'recalled', OUTSIDE, 'blocked 2'],
    ['recalling', 'recalling', BY_HAND, 'blocked 2'],
  ])('is not taken forward again: the newer one is %s (%s, %j): %s', (_, status, stop, line) => {
    const knowledge = knowing({ campaigns: [{ id: '1' }, { id: '2', ...stop }] });
    const observed = [old, aLiveCampaign({ id: '2', status })];
    expect(linesOf([aCampaign()], observed, { knowledge })).toEqual([line]);
    const allowed = linesOf([aCampaign()], observed, { knowledge, ...RESUME });
    expect(allowed, 'with --allow resume').toEqual([line.includes('needs') ? REPLACE : line]);
  });

  it('is reported with who stopped what, and both ways on', () => {
    const knowledge = knowing({ campaigns: [{ id: '1' }, { id: '2', ...BY_HAND }] });
    const observed = [old, aLiveCampaign({ id: '2', status: 'paused' })];
    const words = planOf([aCampaign()], observed, { knowledge }).changes[0]?.reasons.join(' ');
    expect(words).toContain(
      'Stopped by hand with Herald (paused since 2026-06-01T11:00:00Z): 2. It has the declared content.',
    );
    expect(words).toContain('1 runs instead. To go forward again: herald apply --allow resume.');
    expect(words).toContain('To keep 1: herald import --update, or restore the file.');
  });

  it('goes on to a third text: no one stopped that', () => {
    const knowledge = knowing({ campaigns: [{ id: '1' }, { id: '2', ...BY_HAND }] });
    const stopped = aLiveCampaign({ id: '2', status: 'paused', messages: THIRD });
    expect(linesOf([aCampaign()], [old, stopped], { knowledge })).toEqual([REPLACE]);
  });

  it('without a ledger is blocked as well: nothing shows who stopped the newer one', () => {
    const observed = [old, aLiveCampaign({ id: '2', status: 'paused' })];
    expect(linesOf([aCampaign()], observed)).toEqual(['blocked 1 needs adopt resume']);
  });

  it('is not different for a duplicate that Herald archived next to the newer one', () => {
    const knowledge = knowing({
      campaigns: [{ id: '1' }, { id: '2', ...OUTSIDE }, { id: '3', ...DUPLICATE }],
    });
    const newer = [
      aLiveCampaign({ id: '2', status: 'paused' }),
      aLiveCampaign({ id: '3', status: 'archived' }),
    ];
    expect(linesOf([aCampaign()], [old, ...newer], { knowledge })).toEqual(['blocked 1 needs resume']);
  });

  it('is free again once an apply made and stopped a later version with this text', () => {
    const knowledge = knowing({
      campaigns: [{ id: '1' }, { id: '2', ...BY_HAND }, { id: '3', ...BY_APPLY }],
    });
    const both = ['2', '3'].map((id) => aLiveCampaign({ id, status: 'paused' }));
    expect(linesOf([aCampaign()], [old, ...both], { knowledge })).toEqual([REPLACE]);
  });

  it('stays so when the newer one cannot be compared: it may be the declared one', () => {
    const knowledge = knowing({ campaigns: [{ id: '1' }, { id: '2', ...OUTSIDE }] });
    const unread = aLiveCampaign({ id: '2', status: 'paused', action: null, messages: [] });
    expect(linesOf([aCampaign()], [old, unread], { knowledge })).toEqual(['blocked 1 needs resume']);
  });
});

describe('a recalled text', () => {
  const recalled = aLiveCampaign({ id: '2', status: 'recalled' });
  const known = knowing({
    campaigns: [{ id: '1', ...BY_APPLY }, { id: '2' }, { id: '3', ...BY_APPLY }],
  });

  it.each([
    ['nothing else of the name is left', 'archived', OTHER],
    ['another version is paused', 'paused', OTHER],
    ['another version runs', 'active', OTHER],
  ])('is not sent again where a later version was made, and %s', (_, status, messages) => {
    const later = aLiveCampaign({ id: '3', status, messages });
    expect(linesOf([aCampaign()], [recalled, later], { knowledge: known, ...RESUME })).toEqual(['blocked 2']);
  });

  it.each(['paused', 'archived'])('is not sent again by an older copy that is %s', (status) => {
    const older = aLiveCampaign({ id: '1', status });
    const later = aLiveCampaign({ id: '3', status: 'archived', messages: OTHER });
    expect(linesOf([aCampaign()], [older, recalled, later], { knowledge: known, ...RESUME })).toEqual([
      'blocked 2',
    ]);
  });

  it.each(['paused', 'archived'])(
    'of a broadcast is not sent again where another version waits: it is %s',
    (status) => {
      const observed = [
        aLiveBroadcast({ id: '2', status }),
        aLiveBroadcast({ id: '3', status: 'scheduled', messages: OTHER }),
      ];
      const knowledge = knowing({
        broadcasts: [
          { id: '2', recalled: true },
          { id: '3', ...BY_APPLY },
        ],
      });
      expect(linesOf([aBroadcast()], observed, { knowledge, ...RESUME })).toEqual(['blocked 2']);
    },
  );

  it('is called recalled, with the ways on', () => {
    const running = aLiveCampaign({ id: '1', messages: OTHER });
    const words = planOf([aCampaign()], [running, recalled], { knowledge: known }).changes[0]?.reasons.join();
    expect(words).toContain('Recalled: 2. It has the declared content. 1 runs instead');
    expect(words).toContain('To send it again, give it a new name.');
  });
});

it('a recalled version stays so next to a later duplicate of it that Herald archived', () => {
  const knowledge = knowing({
    campaigns: [{ id: '1', ...BY_APPLY, supersededBy: '2' }, { id: '2' }, { id: '3', ...DUPLICATE }],
  });
  const observed = [
    aLiveCampaign({ id: '1', status: 'paused' }),
    aLiveCampaign({ id: '2', status: 'recalled', messages: OTHER }),
    aLiveCampaign({ id: '3', status: 'archived', messages: OTHER }),
  ];
  expect(linesOf([aCampaign()], observed, { knowledge, ...RESUME })).toEqual(['blocked 2']);
});

describe('a stop by a person, once the service has archived it', () => {
  const archived = (id: string, more = {}) => aLiveCampaign({ id, status: 'archived', ...more });
  const SWITCHED_ON = 'activate 1: reactivate 1, read_back 1';

  it.each([
    ['outside Herald', OUTSIDE, 'blocked 1 needs resume'],
    ['by hand', BY_HAND, 'blocked 1 needs resume'],
    ['by a replace', BY_APPLY, SWITCHED_ON],
    ['as declared', { pausedFor: 'declared', pausedAtMs: NOON - ARCHIVED_AFTER_MS }, SWITCHED_ON],
    [
      'as declared, and archived by someone before the week was over',
      { pausedFor: 'declared', pausedAtMs: NOON - ARCHIVED_AFTER_MS + HOUR },
      'blocked 1 needs resume',
    ],
    ['by a declared archive', { pausedFor: 'declared', pausedAtMs: null }, SWITCHED_ON],
  ] as const)('%s: %j', (_, stop, line) => {
    const knowledge = knowing({ campaigns: [{ id: '1', ...stop }] });
    expect(linesOf([aCampaign()], [archived('1')], { knowledge })).toEqual([line]);
    expect(linesOf([aCampaign()], [archived('1')], { knowledge, ...RESUME })).toEqual([SWITCHED_ON]);
  });

  it('without a ledger is assumed: nothing shows who stopped it', () => {
    const plan = planOf([aCampaign()], [archived('1')]);
    expect(plan.changes[0]?.needs).toEqual(['adopt', 'resume']);
    expect(plan.changes[0]?.reasons.join()).toContain('the ledger does not record by whom: 1');
  });

  it.each([
    ['outside Herald', OUTSIDE, ['blocked needs resume']],
    ['by hand', BY_HAND, ['blocked needs resume']],
    ['by an apply', BY_APPLY, ['create: create']],
  ] as const)('holds for another text as well, stopped %s', (_, stop, lines) => {
    const knowledge = knowing({ campaigns: [{ id: '1', ...stop }] });
    const observed = [archived('1', { messages: OTHER })];
    expect(linesOf([aCampaign()], observed, { knowledge })).toEqual(lines);
  });

  it('does not hold for a campaign that ended by itself', () => {
    const knowledge = knowing({ campaigns: [{ id: '1', ...OUTSIDE }] });
    const ended = archived('1', { messages: OTHER, rules: { end_at: '2026-06-01T11:00:00Z' } });
    expect(linesOf([aCampaign()], [ended], { knowledge })).toEqual(['create: create']);
  });

  it('holds for the newest version, also when an older one has the declared text', () => {
    const knowledge = knowing({
      campaigns: [
        { id: '1', ...BY_APPLY },
        { id: '2', ...OUTSIDE },
      ],
    });
    const observed = [archived('1'), archived('2', { messages: OTHER })];
    expect(linesOf([aCampaign()], observed, { knowledge })).toEqual(['blocked 1 needs resume']);
  });
});

/** Version 1 has the declared text, and an apply stopped it. Version 2 has another one, and is the newest. */
describe('a newer version that a person stopped, and the file goes back to the older one', () => {
  const SUPERSEDED: Stop = { ...BY_APPLY, supersededBy: '2' };
  const lines = {
    active: 'activate 1: activate 1, read_back 1',
    again: 'activate 1: reactivate 1, read_back 1',
  };

  it.each([
    ['paused', 'paused', BY_HAND, true],
    ['paused', 'paused', BY_APPLY, false],
    ['paused', 'archived', BY_HAND, true],
    ['paused', 'archived', OUTSIDE, true],
    ['paused', 'archived', BY_APPLY, false],
    ['archived', 'paused', BY_HAND, true],
    ['archived', 'archived', BY_HAND, true],
    ['archived', 'archived', BY_APPLY, false],
  ] as const)(
    'the older one is %s, the newer one %s (%j): needs resume: %s',
    (older, newer, stop, isHeld) => {
      const knowledge = knowing({
        campaigns: [
          { id: '1', ...SUPERSEDED },
          { id: '2', ...stop },
        ],
      });
      const observed = [
        aLiveCampaign({ id: '1', status: older }),
        aLiveCampaign({ id: '2', status: newer, messages: OTHER }),
      ];
      const started = older === 'paused' ? lines.active : lines.again;
      // A paused one is switched on before an archived one is, and a replace before both.
      const expected = older === 'archived' && newer === 'paused' ? 'replace 2: create, read_back' : started;
      const held = expected === started ? 'blocked 1 needs resume' : 'blocked 2 needs resume';
      expect(linesOf([aCampaign()], observed, { knowledge })).toEqual([isHeld ? held : expected]);
      expect(linesOf([aCampaign()], observed, { knowledge, ...RESUME })).toEqual([expected]);
    },
  );

  it('is named, with who stopped it', () => {
    const knowledge = knowing({
      campaigns: [
        { id: '1', ...SUPERSEDED },
        { id: '2', ...BY_HAND },
      ],
    });
    const observed = [
      aLiveCampaign({ id: '1', status: 'paused' }),
      aLiveCampaign({ id: '2', status: 'archived', messages: OTHER }),
    ];
    const words = planOf([aCampaign()], observed, { knowledge }).changes[0]?.reasons.join(' ');
    expect(words).toContain(
      'Stopped by hand with Herald (paused since 2026-06-01T11:00:00Z): 2. It is another version.',
    );
  });

  it('holds for an unfinished replace as well', () => {
    const knowledge = knowing({
      campaigns: [
        { id: '1', ...BY_APPLY },
        { id: '2', ...OUTSIDE },
      ],
    });
    const observed = [
      aLiveCampaign({ id: '1', status: 'paused', messages: THIRD }),
      aLiveCampaign({ id: '2', status: 'archived', messages: OTHER }),
    ];
    expect(linesOf([aCampaign()], observed, { knowledge })).toEqual(['blocked 1 needs resume']);
  });

  it.each([
    ['a duplicate that Herald archived', DUPLICATE],
    ['an archived campaign of someone else', { ours: false, createdByHerald: false }],
  ] as const)('holds where %s is newer still', (_, later) => {
    for (const [status, messages] of [
      ['paused', undefined],
      ['archived', undefined],
      ['archived', THIRD],
    ] as const) {
      const knowledge = knowing({
        campaigns: [
          { id: '1', ...SUPERSEDED },
          { id: '2', ...BY_HAND },
          { id: '3', ...later },
        ],
      });
      const observed = [
        aLiveCampaign({ id: '1', status, ...(messages === undefined ? {} : { messages }) }),
        aLiveCampaign({ id: '2', status: 'archived', messages: OTHER }),
        aLiveCampaign({ id: '3', status: 'archived', messages: OTHER }),
      ];
      expect(linesOf([aCampaign()], observed, { knowledge })[0]).toMatch(/^blocked( 1)? needs resume$/);
    }
  });

  it('does not hold for a newer one that ended by itself, or that someone else made', () => {
    const older = aLiveCampaign({ id: '1', status: 'paused' });
    const both = knowing({
      campaigns: [
        { id: '1', ...SUPERSEDED },
        { id: '2', ...OUTSIDE },
      ],
    });
    const rules = { end_at: '2026-06-01T11:00:00Z' };
    const ended = aLiveCampaign({ id: '2', status: 'archived', messages: OTHER, rules });
    expect(linesOf([aCampaign()], [older, ended], { knowledge: both })).toEqual([lines.active]);
    const knowledge = knowing({ campaigns: [{ id: '1', ...SUPERSEDED }] });
    const theirs = aLiveCampaign({ id: '3', status: 'archived', messages: OTHER });
    expect(linesOf([aCampaign()], [older, theirs], { knowledge })).toEqual([lines.active]);
  });
});

describe('a broadcast that a person took back to an older version', () => {
  const old = aLiveBroadcast({ id: '1', messages: OTHER });
  const REPLACE = 'replace 1: pause 1, check_not_left 1, create, read_back';

  it.each([
    ['by hand', BY_HAND, 'blocked 1 needs resume'],
    ['outside Herald', OUTSIDE, 'blocked 1 needs resume'],
    ['by an apply', BY_APPLY, REPLACE],
  ])('is not taken forward again: the newer one was paused %s', (_, stop, line) => {
    const knowledge = knowing({ broadcasts: [{ id: '1' }, { id: '2', ...stop }] });
    const observed = [old, aLiveBroadcast({ id: '2', status: 'paused' })];
    expect(linesOf([aBroadcast()], observed, { knowledge })).toEqual([line]);
    expect(linesOf([aBroadcast()], observed, { knowledge, ...RESUME })).toEqual([REPLACE]);
  });

  it('stays so when the newer one was recalled by hand, and the older one goes out', () => {
    const knowledge = knowing({ broadcasts: [{ id: '1' }, { id: '2', recalled: true }] });
    const observed = [old, aLiveBroadcast({ id: '2', status: null })];
    const plan = planOf([aBroadcast()], observed, { knowledge, ...RESUME });
    expect(plan.changes.map(({ action, live_id: id }) => `${action} ${id ?? ''}`)).toEqual(['blocked 2']);
    expect(plan.changes[0]?.reasons.join()).toContain('Herald recalled 2');
  });

  it('is not taken back to a text that was recalled', () => {
    const knowledge = knowing({
      broadcasts: [{ id: '1', ...BY_APPLY, supersededBy: '2', recalled: true }, { id: '2' }],
    });
    const recalled = aLiveBroadcast({ id: '1', status: null });
    const running = aLiveBroadcast({ id: '2', messages: OTHER });
    expect(linesOf([aBroadcast()], [recalled, running], { knowledge, ...RESUME })).toEqual(['blocked 1']);
  });

  it('does not hold back a broadcast that stands as declared next to a recalled one', () => {
    const knowledge = knowing({ broadcasts: [{ id: '1' }, { id: '2', recalled: true }] });
    const observed = [aLiveBroadcast({ id: '1' }), aLiveBroadcast({ id: '2', status: null })];
    expect(linesOf([aBroadcast()], observed, { knowledge })).toEqual(['keep 1']);
  });
});

describe('a broadcast that the service paused for send errors', () => {
  it('needs a person, also where an apply had paused it before someone resumed it', () => {
    const knowledge = knowing({ broadcasts: [{ id: '1', pausedFor: 'declared' }] });
    const paused = aLiveBroadcast({ status: 'paused', pause_reason: 'send_errors' });
    const plan = planOf([aBroadcast()], [paused], { knowledge });
    expect(plan.changes[0]?.needs).toEqual(['resume']);
    expect(plan.changes[0]?.reasons[0]).toMatch(/^Paused by the service after too many send errors: 1/);
  });
});
