import { describe, expect, it } from 'vitest';
import { aBroadcast, aLiveBroadcast, knowing } from '../helpers/resource-builders.ts';
import { codesOf, lineOf, linesOf, planOf } from './plan-of.ts';

const OTHER = [{ text: 'Another text' }];
const SENT = { status: null, scheduled_at: null };
const HALTED = { status: 'paused', scheduled_at: null };
const PAST = aBroadcast({ scheduledAtUtc: '2026-06-01T11:00:00Z' });

const live = (id: string, parts: Parameters<typeof aLiveBroadcast>[0] = {}) =>
  aLiveBroadcast({ id, ...parts });
const ours = (...ids: readonly string[]) => knowing({ broadcasts: ids.map((id) => ({ id })) });

describe('several scheduled broadcasts of one name', () => {
  it('equal: the lowest number stays, whatever the order of the list, and the others are paused', () => {
    const knowledge = ours('9', '10', '100');
    expect(linesOf([aBroadcast()], [live('100'), live('10'), live('9')], { knowledge })).toEqual([
      'keep 9',
      'retire 10: pause 10, read_back 10',
      'retire 100: pause 100, read_back 100',
    ]);
  });

  it('equal, minutes before their hour: the duplicate is paused all the same', () => {
    const soon = { scheduled_at: '2026-06-01T12:02:00Z' };
    const declared = aBroadcast({ scheduledAtUtc: soon.scheduled_at });
    expect(linesOf([declared], [live('1', soon), live('2', soon)], { knowledge: ours('1', '2') })).toEqual([
      'done 1',
      'retire 2: pause 2, read_back 2',
    ]);
  });

  it('one equal: different and unreadable ones next to it are paused', () => {
    const observed = [live('1', { messages: OTHER }), live('2'), live('3', { messages: [] })];
    expect(linesOf([aBroadcast()], observed, { knowledge: ours('1', '2', '3') })).toEqual([
      'retire 1: pause 1, read_back 1',
      'keep 2',
      'retire 3: pause 3, read_back 3',
    ]);
  });

  it('not ours: reported and left to --allow adopt', () => {
    expect(linesOf([aBroadcast()], [live('1'), live('2')])).toEqual(['keep 1', 'blocked 2 needs adopt']);
  });

  it('all different: each is paused and proved not to have left before the create', () => {
    const observed = [live('1', { messages: OTHER }), live('2', { messages: OTHER })];
    expect(linesOf([aBroadcast()], observed, { knowledge: ours('1', '2') })).toEqual([
      'replace 1: pause 1, check_not_left 1, pause 2, check_not_left 2, create, read_back',
    ]);
  });

  it('one different, one unreadable: blocked, because the unreadable one would go out next to a new one', () => {
    const observed = [live('1', { messages: OTHER }), live('2', { messages: [] })];
    expect(linesOf([aBroadcast()], observed, { knowledge: ours('1', '2') })).toEqual(['blocked 1']);
  });

  it('unreadable alone: left alone, with a warning', () => {
    const plan = planOf([aBroadcast()], [live('1', { messages: [] })], { knowledge: ours('1') });
    expect(plan.changes.map(lineOf)).toEqual(['keep 1']);
    expect(codesOf(plan)).toEqual(['unreadable']);
  });
});

describe('after one of the name has gone out', () => {
  it.each([
    ['sent', SENT],
    ['sending', { status: 'sending', scheduled_at: null }],
    ['halted half-way', HALTED],
  ])('(%s) what still waits is paused: it would be a second send', (_, gone) => {
    const observed = [live('1', gone), live('2'), live('3', { messages: OTHER })];
    const knowledge = ours('1', '2', '3');
    const pauses = ['retire 2: pause 2, read_back 2', 'retire 3: pause 3, read_back 3'];
    expect(linesOf([aBroadcast()], observed, { knowledge })).toEqual(['blocked 1', ...pauses]);
    expect(linesOf([PAST], observed, { knowledge })).toEqual(['done 1', ...pauses]);
  });

  it('a waiting one that is not ours needs a person', () => {
    expect(linesOf([aBroadcast()], [live('1', SENT), live('2')])).toEqual([
      'blocked 1',
      'blocked 2 needs adopt',
    ]);
  });

  it('declared paused still pauses what waits', () => {
    const observed = [live('1', SENT), live('2')];
    expect(linesOf([aBroadcast({ target: 'paused' })], observed, { knowledge: ours('1', '2') })).toEqual([
      'pause 2: pause 2, read_back 2',
    ]);
  });

  // BROADCAST-15
  it('declared paused does not stop one half-way, and says how to', () => {
    const plan = planOf(
      [aBroadcast({ target: 'paused' })],
      [live('1', { status: 'sending', scheduled_at: null })],
    );
    expect(plan.changes.map(lineOf)).toEqual(['done 1']);
    expect(codesOf(plan)).toEqual(['going-out']);
    expect(plan.diagnostics[0]?.message).toContain('herald broadcasts pause 1 --account alice');
  });
});

describe('two broadcasts of one name that both go out', () => {
  const going = { status: 'sending', scheduled_at: null };

  // BROADCAST-15
  it('are reported, with the command that stops the later one', () => {
    const plan = planOf([PAST], [live('1', going), live('2', going)]);
    expect(plan.changes.map(lineOf)).toEqual(['done 1']);
    expect(codesOf(plan)).toEqual(['going-out-twice']);
    expect(plan.diagnostics[0]?.message).toContain('herald broadcasts pause 2 --account alice');
  });

  it('are not reported once one of them was sent', () => {
    expect(codesOf(planOf([PAST], [live('1', SENT), live('2', going)]))).toEqual([]);
  });
});

// BROADCAST-6
describe('a time that is past by one of two clocks that do not agree', () => {
  const at = '2026-06-01T11:30:00Z';
  const declared = aBroadcast({ scheduledAtUtc: at });
  const terms = { clocksApartMs: 3_600_000, knowledge: ours('1') };
  const waits = (parts: object = {}) => live('1', { scheduled_at: at, ...parts });

  it.each([
    ['nothing is live', [], ['blocked']],
    ['the same waits', [waits()], ['keep 1']],
    ['another text waits', [waits({ messages: OTHER })], ['done 1']],
    ['it is paused', [waits({ status: 'paused' })], ['blocked 1']],
    ['it was stopped half-way', [live('1', HALTED)], ['done 1']],
    ['it has gone out', [live('1', SENT)], ['done 1']],
  ])('%s', (_, observed, expected) => {
    expect(linesOf([declared], observed, terms)).toEqual(expected);
  });

  it('is past if it is past by both', () => {
    expect(linesOf([aBroadcast({ scheduledAtUtc: '2026-06-01T10:00:00Z' })], [], terms)).toEqual(['missed']);
  });
});

describe('an archived broadcast that never left', () => {
  const archived = { status: 'archived' };

  it('does not stop the scheduled equal one next to it, even when the ledger is lost', () => {
    expect(linesOf([aBroadcast()], [live('1', archived), live('2')])).toEqual(['keep 2']);
  });

  it('stands in the way of a create and of a replace', () => {
    expect(linesOf([aBroadcast()], [live('1', archived)])).toEqual(['blocked 1']);
    const observed = [live('1', archived), live('2', { messages: OTHER })];
    expect(linesOf([aBroadcast()], observed, { knowledge: ours('2') })).toEqual(['blocked 1']);
  });

  it('does not hide that another version still goes out after the declared hour', () => {
    const plan = planOf([PAST], [live('1', archived), live('2', { messages: OTHER })]);
    expect(plan.changes.map(lineOf)).toEqual(['done 1']);
    expect(codesOf(plan)).toEqual(['too-late']);
  });
});

// BROADCAST-8
describe('a broadcast with an end that passed before it left', () => {
  const ended = { status: null, rules: { end_at: '2026-06-01T11:00:00Z' } };

  it('does not stop the scheduled equal one next to it, even when the ledger is lost', () => {
    expect(linesOf([aBroadcast({ rules: {} })], [live('1', ended), live('2')])).toEqual(['keep 2']);
  });

  it('stands in the way of a create, and says what it is', () => {
    const { changes } = planOf([aBroadcast()], [live('1', ended)]);
    expect(changes.map(lineOf)).toEqual(['blocked 1']);
    expect(changes[0]?.reasons.join()).toContain('ended before it went out');
  });

  it.each([
    ['without its schedule', { ...ended, scheduled_at: null }],
    ['before its end', { ...ended, rules: { end_at: '2026-06-09T11:00:00Z' } }],
    ['while it is queued', { ...ended, status: 'queued' }],
  ])('is only told by its end and its schedule: %s it may have left', (_, parts) => {
    const knowledge = ours('1', '2');
    expect(linesOf([aBroadcast()], [live('1', parts), live('2')], { knowledge })).toEqual([
      'blocked 1',
      'retire 2: pause 2, read_back 2',
    ]);
  });
});

describe('versions that Herald took out of the way', () => {
  it.each([
    ['its end passed', { rules: { end_at: '2026-06-01T11:00:00Z' } }, false],
    ['it was taken back by hand', {}, true],
  ])('say nothing once %s', (_, parts, recalled) => {
    const knowledge = knowing({
      broadcasts: [{ id: '1', pausedFor: 'replace', supersededBy: '2', recalled }, { id: '2' }],
    });
    const old = live('1', { status: null, messages: OTHER, ...parts });
    expect(linesOf([aBroadcast()], [old, live('2')], { knowledge })).toEqual(['keep 2']);
  });

  it.each([
    ['replaced', 'paused', { pausedFor: 'replace', supersededBy: '2' }],
    ['replaced', 'archived', { pausedFor: 'replace', supersededBy: '2' }],
    ['a duplicate', 'paused', { pausedFor: 'duplicate' }],
  ] as const)('(%s, now %s) say nothing next to the one that stays', (_, status, known) => {
    const knowledge = knowing({ broadcasts: [{ id: '1', ...known }, { id: '2' }] });
    expect(linesOf([aBroadcast()], [live('1', { status }), live('2')], { knowledge })).toEqual(['keep 2']);
  });

  it('are not resumed when a person paused the one that stayed', () => {
    const knowledge = knowing({ broadcasts: [{ id: '1', pausedFor: 'duplicate' }, { id: '2' }] });
    const observed = [live('1', { status: 'paused' }), live('2', { status: 'paused' })];
    expect(linesOf([aBroadcast()], observed, { knowledge })).toEqual(['blocked 2 needs resume']);
  });

  it('count as having left once a person sent them after all', () => {
    const knowledge = knowing({
      broadcasts: [{ id: '1', pausedFor: 'replace', supersededBy: '2' }, { id: '2' }],
    });
    expect(linesOf([aBroadcast()], [live('1', SENT), live('2')], { knowledge })).toEqual([
      'blocked 1',
      'retire 2: pause 2, read_back 2',
    ]);
  });
});

describe('paused before it left', () => {
  it('by us in a replace that was cut short: checked again, then created', () => {
    const knowledge = knowing({ broadcasts: [{ id: '1', pausedFor: 'replace' }] });
    expect(
      linesOf([aBroadcast()], [live('1', { status: 'paused', messages: OTHER })], { knowledge }),
    ).toEqual(['replace 1: check_not_left 1, create, read_back']);
  });

  it('with the ledger lost: a person may have stopped it', () => {
    expect(linesOf([aBroadcast()], [live('1', { status: 'paused', messages: OTHER })])).toEqual([
      'blocked 1 needs resume',
    ]);
  });

  it('by us and by a person: the person counts', () => {
    const knowledge = knowing({ broadcasts: [{ id: '1', pausedFor: 'declared' }, { id: '2' }] });
    const observed = [live('1', { status: 'paused' }), live('2', { status: 'paused', messages: OTHER })];
    expect(linesOf([aBroadcast()], observed, { knowledge })).toEqual(['blocked 1 needs resume']);
  });

  it('by the service says why', () => {
    const paused = live('1', { status: 'paused', pause_reason: 'send_errors' });
    const plan = planOf([aBroadcast()], [paused], { knowledge: ours('1') });
    expect(plan.changes[0]?.reasons[0]).toMatch(/^Paused by the service after too many send errors: 1/);
  });

  it('and unreadable is left alone, no matter who paused it', () => {
    const knowledge = knowing({ broadcasts: [{ id: '1', pausedFor: 'replace' }] });
    expect(linesOf([aBroadcast()], [live('1', { status: 'paused', messages: [] })], { knowledge })).toEqual([
      'blocked 1',
    ]);
  });

  it('until its hour passed: done, and the warning says that it never went out', () => {
    const plan = planOf([PAST], [live('1', { status: 'paused', scheduled_at: PAST.scheduledAtUtc })]);
    expect(plan.changes.map(lineOf)).toEqual(['done 1']);
    expect(codesOf(plan)).toEqual(['never-left']);
  });
});

describe('a recall', () => {
  it('reaches every object of the name once, and never an archived one', () => {
    const knowledge = knowing({ broadcasts: [{ id: '1' }, { id: '2', recalled: true }, { id: '3' }] });
    const observed = [live('1', SENT), live('2', SENT), live('3', { status: 'archived' })];
    const allow = new Set(['recall'] as const);
    expect(linesOf([aBroadcast({ target: 'recalled' })], observed, { knowledge, allow })).toEqual([
      'recall 1: recall 1',
    ]);
  });

  it.each([
    ['scheduled', { status: 'scheduled' }, 'recall 1: pause 1, recall 1'],
    ['queued', { status: 'queued', scheduled_at: null }, 'recall 1: recall 1'],
    ['paused before its hour', { status: 'paused' }, 'recall 1: recall 1'],
    ['paused half-way', { status: 'paused', scheduled_at: null }, 'recall 1: recall 1'],
    ['sent', SENT, 'recall 1: recall 1'],
  ])('of one that is %s stops it first only where it waits', (_, parts, line) => {
    const knowledge = knowing({ broadcasts: [{ id: '1' }] });
    const allow = new Set(['recall'] as const);
    expect(linesOf([aBroadcast({ target: 'recalled' })], [live('1', parts)], { knowledge, allow })).toEqual([
      line,
    ]);
  });

  it.each([
    ['scheduled again', { status: 'scheduled' }, 'recall 1: pause 1, recall 1', []],
    ['sending', { status: 'sending', scheduled_at: null }, 'recall 1: pause 1, recall 1', []],
    ['paused', { status: 'paused' }, 'done 1', ['recall-refused']],
    ['sent', SENT, 'done 1', ['recall-refused']],
    ['archived', { status: 'archived' }, 'done 1', []],
  ])('that was refused, and it is %s: %s', (_, parts, line, codes) => {
    const knowledge = knowing({ broadcasts: [{ id: '1', recallRefused: true }] });
    const allow = new Set(['recall'] as const);
    const plan = planOf([aBroadcast({ target: 'recalled' })], [live('1', parts)], { knowledge, allow });
    expect(plan.changes.map(lineOf)).toEqual([line]);
    expect(codesOf(plan)).toEqual(codes);
  });

  it.each([
    ['scheduled', { status: 'scheduled' }, 'recall 1: pause 1, recall 1', []],
    ['sending', { status: 'sending', scheduled_at: null }, 'done 1', ['goes-on']],
    ['paused', { status: 'paused' }, 'done 1', []],
  ])('that was carried out, and it is %s all the same: %s', (_, parts, line, codes) => {
    const knowledge = knowing({ broadcasts: [{ id: '1', recalled: true }] });
    const allow = new Set(['recall'] as const);
    const plan = planOf([aBroadcast({ target: 'recalled' })], [live('1', parts)], { knowledge, allow });
    expect(plan.changes.map(lineOf)).toEqual([line]);
    expect(codesOf(plan)).toEqual(codes);
  });

  it('that was refused is reported next to one that is still asked for', () => {
    const knowledge = knowing({ broadcasts: [{ id: '1', recallRefused: true }, { id: '2' }] });
    const allow = new Set(['recall'] as const);
    const both = [live('1', SENT), live('2', SENT)];
    const plan = planOf([aBroadcast({ target: 'recalled' })], both, { knowledge, allow });
    expect(plan.changes.map(lineOf)).toEqual(['recall 2: recall 2']);
    expect(codesOf(plan)).toEqual(['recall-refused']);
  });

  it.each([
    ['the same', {}],
    ['another message', { messages: [{ text: 'Other' }] }],
  ])('is not undone by declaring %s scheduled again, unless a person says so', (_, parts) => {
    const knowledge = knowing({ broadcasts: [{ id: '1', recalled: true, pausedFor: 'declared' }] });
    const { changes } = planOf([aBroadcast(parts)], [live('1', { status: 'paused' })], { knowledge });
    expect(changes.map(lineOf)).toEqual(['blocked 1 needs resume']);
    expect(changes[0]?.reasons.join(' ')).toContain('Recalled with Herald: 1');
  });

  it('of what is already recalled or archived is done', () => {
    const knowledge = knowing({ broadcasts: [{ id: '2', recalled: true }] });
    const observed = [live('2', SENT), live('3', { status: 'archived' })];
    expect(linesOf([aBroadcast({ target: 'recalled' })], observed, { knowledge })).toEqual(['done 2']);
  });
});
