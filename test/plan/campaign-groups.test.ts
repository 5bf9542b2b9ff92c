import { describe, expect, it } from 'vitest';
import { aCampaign, aLiveCampaign, knowing } from '../helpers/resource-builders.ts';
import { codesOf, lineOf, linesOf, planOf } from './plan-of.ts';

const OTHER = [{ text: 'Another text' }];
const UNREADABLE = { action: null, messages: [] };
const ENDED = { rules: { end_at: '2026-06-01T11:00:00Z' } };

const live = (id: string, parts: Parameters<typeof aLiveCampaign>[0] = {}) => aLiveCampaign({ id, ...parts });

describe('several active campaigns of one name', () => {
  // CONTENT-1
  it('equal: the lowest number stays, whatever the order of the list, and the others are archived', () => {
    const knowledge = knowing({ campaigns: [{ id: '9' }, { id: '10' }, { id: '100' }] });
    expect(linesOf([aCampaign()], [live('100'), live('9'), live('10')], { knowledge })).toEqual([
      'keep 9',
      'retire 10: archive 10',
      'retire 100: archive 100',
    ]);
  });

  it('a duplicate that is not ours is not archived without --allow adopt', () => {
    const knowledge = knowing({ campaigns: [{ id: '9' }] });
    expect(linesOf([aCampaign()], [live('9'), live('10')], { knowledge })).toEqual([
      'keep 9',
      'blocked 10 needs adopt',
    ]);
  });

  it('made by the creator of our other creates counts as ours', () => {
    const copy = live('10', { created_by: { type: 'api_token', id: '7' } });
    const knowledge = knowing({ creators: ['api_token:7'] });
    expect(linesOf([aCampaign()], [live('9'), copy], { knowledge })).toEqual([
      'keep 9',
      'retire 10: archive 10',
    ]);
  });

  it('one equal: the different and the unreadable one next to it are paused', () => {
    const knowledge = knowing({ campaigns: [{ id: '1' }, { id: '2' }, { id: '3' }] });
    const observed = [live('1', { messages: OTHER }), live('2'), live('3', UNREADABLE)];
    expect(linesOf([aCampaign()], observed, { knowledge })).toEqual([
      'pause 1: pause 1',
      'keep 2',
      'pause 3: pause 3',
    ]);
  });

  it('all different: all are paused before the create', () => {
    const knowledge = knowing({ campaigns: [{ id: '1' }, { id: '2' }] });
    const observed = [live('1', { messages: OTHER }), live('2', { messages: OTHER })];
    expect(linesOf([aCampaign()], observed, { knowledge })).toEqual([
      'replace 1: pause 1, pause 2, create, read_back',
    ]);
  });

  it('one different, one unreadable: blocked, because the unreadable one may be the declared one', () => {
    const knowledge = knowing({ campaigns: [{ id: '1' }, { id: '2' }] });
    expect(
      linesOf([aCampaign()], [live('1', { messages: OTHER }), live('2', UNREADABLE)], { knowledge }),
    ).toEqual(['blocked 2']);
  });

  it('one of them unknown by its status: the rest goes on, with a warning', () => {
    const plan = planOf([aCampaign()], [live('1'), live('2', { status: 'hibernating' })]);
    expect(plan.changes.map(lineOf)).toEqual(['keep 1']);
    expect(codesOf(plan)).toEqual(['unnamed-status']);
  });
});

describe('an older version that still runs next to the declared one', () => {
  const observed = [live('1', { messages: OTHER }), live('2')];

  it.each([
    ['clear', { id: '1', supersededBy: '2' }, 'archive 1: archive 1'],
    ['keep', { id: '1', supersededBy: '2' }, 'pause 1: pause 1'],
    ['clear', { id: '1' }, 'pause 1: pause 1'],
  ] as const)('with old_queue: %s (%j): %s', (oldQueue, old, line) => {
    const knowledge = knowing({ campaigns: [old, { id: '2' }] });
    expect(linesOf([aCampaign({ oldQueue })], observed, { knowledge })).toEqual([line, 'keep 2']);
  });
});

describe('versions that a replace left behind', () => {
  const leftover = { id: '1', pausedFor: 'replace', supersededBy: '2' } as const;

  it.each(['paused', 'archived'])('%s ones next to the active equal one are nothing to do', (status) => {
    const knowledge = knowing({ campaigns: [leftover, { id: '2' }] });
    expect(
      linesOf([aCampaign()], [live('1', { status, messages: OTHER }), live('2')], { knowledge }),
    ).toEqual(['keep 2']);
  });

  it('do not hide that a person paused the newer one', () => {
    const knowledge = knowing({ campaigns: [leftover, { id: '2' }] });
    const observed = [live('1', { status: 'paused', messages: OTHER }), live('2', { status: 'paused' })];
    expect(linesOf([aCampaign()], observed, { knowledge })).toEqual(['blocked 2 needs resume']);
  });

  it('do not start again by a revert of the files when a person paused the newer one', () => {
    const knowledge = knowing({ campaigns: [leftover, { id: '2' }] });
    const observed = [live('1', { status: 'paused' }), live('2', { status: 'paused', messages: OTHER })];
    expect(linesOf([aCampaign()], observed, { knowledge })).toEqual(['blocked 1 needs resume']);
  });

  it('are archived and recalled with the rest when the files say so', () => {
    const knowledge = knowing({ campaigns: [leftover, { id: '2' }] });
    const observed = [live('1', { status: 'paused', messages: OTHER }), live('2')];
    expect(linesOf([aCampaign({ target: 'archived' })], observed, { knowledge })).toEqual([
      'archive 1: archive 1',
      'archive 2: archive 2',
    ]);
    const allow = new Set(['recall'] as const);
    expect(linesOf([aCampaign({ target: 'recalled' })], observed, { knowledge, allow })).toEqual([
      'recall 1: recall 1',
      'recall 2: recall 2',
    ]);
  });

  it('are still recalled when the newest one already is: the first run may have failed half-way', () => {
    const knowledge = knowing({ campaigns: [leftover, { id: '2' }] });
    const observed = [live('1', { status: 'paused', messages: OTHER }), live('2', { status: 'recalled' })];
    expect(linesOf([aCampaign({ target: 'recalled' })], observed, { knowledge })).toEqual([
      'blocked 1 needs recall',
    ]);
  });
});

describe('a paused campaign', () => {
  it('that Herald paused for a replace gets the create that is still owed', () => {
    const knowledge = knowing({ campaigns: [{ id: '1', pausedFor: 'replace' }] });
    const plan = planOf([aCampaign()], [live('1', { status: 'paused', messages: OTHER })], { knowledge });
    expect(plan.changes.map(lineOf)).toEqual(['replace 1: create, read_back']);
    expect(plan.changes[0]?.reasons[0]).toContain('Finishes a replace');
  });

  const paused = (...ids: string[]) => ids.map((id) => live(id, { status: 'paused', messages: OTHER }));
  const clear = aCampaign({ oldQueue: 'clear' });

  it('that Herald paused is archived after that create with old_queue: clear', () => {
    for (const pausedFor of ['replace', 'declared'] as const) {
      const knowledge = knowing({ campaigns: [{ id: '1', pausedFor }] });
      const { changes } = planOf([clear], paused('1'), { knowledge });
      const [change] = changes;
      expect(changes.map(lineOf)).toEqual(['replace 1: create, read_back, archive 1']);
      expect(change?.reasons.join(' ')).toContain('Then the old one is archived, and its queue is cleared.');
      expect(change).toMatchObject({ reversible: false, undo: expect.stringContaining('its queue is lost') });
    }
  });

  it('is archived with all others that were paused for that replace, and with no other one', () => {
    const knowledge = knowing({
      campaigns: [
        { id: '1', pausedFor: 'superseded' },
        { id: '2', pausedFor: 'replace' },
        { id: '3', pausedFor: 'replace' },
      ],
    });
    const { changes } = planOf([clear], paused('1', '2', '3'), { knowledge });
    const [change] = changes;
    expect(changes.map(lineOf)).toEqual(['replace 2: create, read_back, archive 2, archive 3']);
    expect(change?.reasons.join(' ')).toContain(
      'Then the old ones are archived, and their queues are cleared.',
    );
    expect(change?.undo).toBe('The old versions are archived, and their queues are lost.');
  });

  it('is archived with the one that an earlier run had paused before it died', () => {
    const knowledge = knowing({ campaigns: [{ id: '1', pausedFor: 'replace' }, { id: '2' }] });
    const observed = [...paused('1'), live('2', { messages: OTHER })];
    expect(linesOf([clear], observed, { knowledge })).toEqual([
      'replace 2: pause 2, create, read_back, archive 1, archive 2',
    ]);
    expect(linesOf([aCampaign()], observed, { knowledge })).toEqual([
      'replace 2: pause 2, create, read_back',
    ]);
  });

  it('of another person needs --allow adopt before it is archived', () => {
    expect(linesOf([clear], paused('1'), { allow: new Set(['resume'] as const) })).toEqual([
      'blocked 1 needs adopt',
    ]);
    expect(linesOf([clear], paused('1'), { allow: new Set(['resume', 'adopt'] as const) })).toEqual([
      'replace 1: create, read_back, archive 1',
    ]);
  });

  it('that Herald paused as declared says so instead', () => {
    const knowledge = knowing({ campaigns: [{ id: '1', pausedFor: 'declared' }] });
    const plan = planOf([aCampaign()], [live('1', { status: 'paused', messages: OTHER })], { knowledge });
    expect(plan.changes[0]?.reasons[0]).toBe('Herald paused an older version of it.');
  });

  it('known as ours but paused by no one we know was stopped by a person', () => {
    const knowledge = knowing({ campaigns: [{ id: '1' }] });
    expect(linesOf([aCampaign()], [live('1', { status: 'paused' })], { knowledge })).toEqual([
      'blocked 1 needs resume',
    ]);
  });

  it('of ours is not finished next to an unreadable one that a person paused', () => {
    const knowledge = knowing({ campaigns: [{ id: '1', pausedFor: 'replace' }] });
    const observed = [
      live('1', { status: 'paused', messages: OTHER }),
      live('2', { status: 'paused', ...UNREADABLE }),
    ];
    expect(linesOf([aCampaign()], observed, { knowledge })).toEqual(['blocked 1 needs resume']);
  });

  it('declared paused shows what differs', () => {
    const plan = planOf(
      [aCampaign({ target: 'paused' })],
      [live('1', { status: 'paused', messages: OTHER })],
    );
    expect(plan.changes.map(lineOf)).toEqual(['keep 1']);
    expect(plan.changes[0]?.fields).toEqual([{ path: 'messages[0].text', old: 'Another text', new: 'Hey' }]);
  });

  it.each([
    ['keeps the queue', 'keep', 'replace 1: pause 1, create, read_back'],
    ['clears the queue', 'clear', 'replace 1: pause 1, create, read_back, archive 1'],
  ] as const)('first %s', (_, oldQueue, expected) => {
    const knowledge = knowing({ campaigns: [{ id: '1' }] });
    expect(linesOf([aCampaign({ oldQueue })], [live('1', { messages: OTHER })], { knowledge })).toEqual([
      expected,
    ]);
  });

  it.each([
    ['keep', 'replace 1: create, read_back, pause 1'],
    ['clear', 'replace 1: create, read_back, archive 1'],
  ] as const)(
    'comes last with create_first, and only when the new one is confirmed (%s)',
    (oldQueue, expected) => {
      const knowledge = knowing({ campaigns: [{ id: '1' }] });
      const declared = aCampaign({ replace: 'create_first', oldQueue });
      expect(linesOf([declared], [live('1', { messages: OTHER })], { knowledge })).toEqual([expected]);
    },
  );
});

describe('a recalled campaign', () => {
  it.each(['recalling', 'recalled', 'unsending', 'unsent'])('(%s) as the newest blocks', (status) => {
    expect(linesOf([aCampaign()], [live('1', { status: 'archived' }), live('2', { status })])).toEqual([
      'blocked 2',
    ]);
  });

  it('as an older one does not', () => {
    const knowledge = knowing({ campaigns: [{ id: '2', pausedFor: 'declared' }] });
    const observed = [live('1', { status: 'recalled' }), live('2', { status: 'archived' })];
    expect(linesOf([aCampaign()], observed, { knowledge })).toEqual([
      'activate 2: reactivate 2, read_back 2',
    ]);
  });

  it('next to an active different one is pointed out before the replace', () => {
    const knowledge = knowing({ campaigns: [{ id: '1' }, { id: '2' }] });
    const observed = [
      live('1', { messages: OTHER }),
      live('2', { status: 'recalled', messages: [{ text: 'A third text' }] }),
    ];
    const plan = planOf([aCampaign()], observed, { knowledge });
    expect(plan.changes.map(lineOf)).toEqual(['replace 1: pause 1, create, read_back']);
    expect(plan.changes[0]?.reasons.join(' ')).toContain('2, the newest with this name, was recalled');
  });
});

describe('an archived campaign', () => {
  it('with another content counts as none', () => {
    expect(linesOf([aCampaign()], [live('1', { status: 'archived', messages: OTHER })])).toEqual([
      'create: create',
    ]);
  });

  it('equal, after a person paused the copy that stayed, is not reactivated', () => {
    const knowledge = knowing({ campaigns: [{ id: '1' }, { id: '2' }] });
    const observed = [live('1', { status: 'paused' }), live('2', { status: 'archived' })];
    expect(linesOf([aCampaign()], observed, { knowledge })).toEqual(['blocked 1 needs resume']);
  });
});

// CAMPAIGN-5
describe('an end that has passed', () => {
  const passed = { end_at: '2026-06-01T11:00:00Z' };

  it('is never created for', () => {
    const plan = planOf([aCampaign({ rules: passed })], []);
    expect(plan.changes.map(lineOf)).toEqual(['missed']);
    expect(codesOf(plan)).toEqual(['missed']);
  });

  it.each(['paused', 'archived', 'recalled', 'hibernating'])('on both sides is done (live %s)', (status) => {
    expect(linesOf([aCampaign({ rules: passed })], [live('1', { status, ...ENDED })])).toEqual(['done 1']);
  });

  it('in the files only does not hide that another version still runs', () => {
    const plan = planOf([aCampaign({ rules: passed })], [live('1', { messages: OTHER })]);
    expect(plan.changes.map(lineOf)).toEqual(['blocked 1']);
    expect(plan.changes[0]?.reasons.join(' ')).toContain('is live with other content and continues');
  });

  it.each(['active', 'paused', 'archived'])(
    'live only blocks: no replacement, no activation (%s)',
    (status) => {
      const messages = status === 'active' ? OTHER : undefined;
      const observed = live('1', { status, ...ENDED, ...(messages === undefined ? {} : { messages }) });
      const knowledge = knowing({ campaigns: [{ id: '1', pausedFor: 'declared' }] });
      const plan = planOf([aCampaign()], [observed], { knowledge });
      expect(plan.changes.map(lineOf)).toEqual(['blocked 1']);
      expect(plan.changes[0]?.reasons.join(' ')).toContain('ended at 2026-06-01T11:00:00Z');
    },
  );

  it('of one version does not hold back the replace of another', () => {
    const knowledge = knowing({ campaigns: [{ id: '1' }, { id: '2' }] });
    const observed = [live('1', { messages: OTHER, ...ENDED }), live('2', { messages: OTHER })];
    expect(linesOf([aCampaign()], observed, { knowledge })).toEqual([
      'replace 2: pause 1, pause 2, create, read_back',
    ]);
  });
});
