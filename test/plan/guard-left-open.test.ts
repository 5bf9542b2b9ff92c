import { describe, expect, it } from 'vitest';
import { DAYS_TO_WRITE, FAN_LIST_TO_NAME, type DeclaredFilter } from '../../src/domain/audience.ts';
import {
  aBroadcast,
  aCampaign,
  aLiveBroadcast,
  aLiveCampaign,
  knowing,
} from '../helpers/resource-builders.ts';
import { linesOf, planOf } from './plan-of.ts';

const OTHER = [{ text: 'Another text' }];
const filter = (options: DeclaredFilter['options']): DeclaredFilter => ({
  kind: 'new_kind',
  mode: 'include',
  options,
});
const days = filter({ from_days: DAYS_TO_WRITE });
const list = filter({ from_days: 30, lists: [{ name: `${FAN_LIST_TO_NAME} 7`, id: '7' }] });
const shown = { kind: 'new_kind', mode: 'include', options: {} };
const shownList = { kind: 'new_kind', mode: 'include', options: { lists: [{ id: '7' }] } };

const OPEN = [
  { what: 'a range in days', audience_filters: [days], live: [shown] },
  { what: 'the name of a fan list', audience_filters: [list], live: [shownList] },
];

describe.each(OPEN)('with $what left open by an import', ({ audience_filters, live: audience }) => {
  const campaign = aCampaign({ audience_filters });
  const broadcast = aBroadcast({ audience_filters });
  const live = (parts: Parameters<typeof aLiveCampaign>[0] = {}) =>
    aLiveCampaign({ audience_filters: audience, ...parts });
  const liveBroadcast = (parts: Parameters<typeof aLiveBroadcast>[0] = {}) =>
    aLiveBroadcast({ audience_filters: audience, ...parts });
  const ours = { knowledge: knowing({ campaigns: [{ id: '1' }], broadcasts: [{ id: '1' }] }) };
  const pausedByUs = {
    knowledge: knowing({
      campaigns: [{ id: '1', pausedFor: 'replace' }],
      broadcasts: [{ id: '1', pausedFor: 'replace' }],
    }),
  };

  it.each([
    ['a campaign that is created', linesOf([campaign], []), ['blocked']],
    ['a campaign that is replaced', linesOf([campaign], [live({ messages: OTHER })], ours), ['blocked 1']],
    [
      'a replace that is finished',
      linesOf([campaign], [live({ status: 'paused', messages: OTHER })], pausedByUs),
      ['blocked 1'],
    ],
    [
      'an archived campaign that may have to be created again',
      linesOf([campaign], [live({ status: 'archived' })], pausedByUs),
      ['blocked 1'],
    ],
    ['a broadcast that is created', linesOf([broadcast], []), ['blocked']],
    [
      'a broadcast that is replaced',
      linesOf([broadcast], [liveBroadcast({ messages: OTHER })], ours),
      ['blocked 1'],
    ],
    [
      'a broadcast with a finished replace',
      linesOf([broadcast], [liveBroadcast({ status: 'paused', messages: OTHER })], pausedByUs),
      ['blocked 1'],
    ],
  ])('%s is held back', (_what, lines, expected) => {
    expect(lines).toEqual(expected);
  });

  it.each([
    ['a campaign as declared', linesOf([campaign], [live()], ours), ['keep 1']],
    [
      'a campaign that is only switched on',
      linesOf([campaign], [live({ status: 'paused' })], pausedByUs),
      ['activate 1: activate 1, read_back 1'],
    ],
    [
      'a campaign that is paused',
      linesOf([{ ...campaign, target: 'paused' }], [live()], ours),
      ['pause 1: pause 1'],
    ],
    [
      'a campaign that is archived',
      linesOf([{ ...campaign, target: 'archived' }], [live()], ours),
      ['archive 1: archive 1'],
    ],
    ['a broadcast as declared', linesOf([broadcast], [liveBroadcast()], ours), ['keep 1']],
    [
      'a broadcast that is only resumed',
      linesOf([broadcast], [liveBroadcast({ status: 'paused' })], pausedByUs),
      ['resume 1: resume 1, read_back 1'],
    ],
  ])('%s goes on', (_what, lines, expected) => {
    expect(lines).toEqual(expected);
  });

  it('no allowance lets it through, and what must be allowed first says so first', () => {
    const stranger = live({ messages: OTHER });
    expect(linesOf([campaign], [stranger])).toEqual(['blocked 1 needs adopt']);
    expect(linesOf([campaign], [stranger], { allow: new Set(['adopt', 'resume', 'large']) })).toEqual([
      'blocked 1',
    ]);
  });
});

describe('what is held back', () => {
  const placeOf = (_resource: unknown, path: readonly (string | number)[]) => ({
    file: `at ${path.join('.')}`,
    line: 7,
    column: 1,
  });
  const reasonOf = (audience_filters: DeclaredFilter[]) =>
    planOf([aCampaign({ audience_filters })], [], { placeOf }).changes[0]?.reasons;

  it('names the place, what is open there, and what to do', () => {
    expect(reasonOf([filter({ from_days: 30 }), days])).toEqual([
      'at audience_filters.1.options.from_days:7 still has a TODO: the range in days of the filter new_kind, if it has one. A create needs it. Check the filter on the service. Write from_days and to_days there, or remove the line if it has none. After that, Herald would create it.',
    ]);
    expect(reasonOf([list, days])).toEqual([
      'at audience_filters.0.options.lists.0.name:7 still has a TODO: the name of fan list 7. A create needs it. Replace "TODO: name of fan list 7" with it. After that, Herald would create it.',
    ]);
  });

  it.each<[string, DeclaredFilter['options']]>([
    ['a range', { from_days: 30, to_days: 0 }],
    ['no range', {}],
    ['no options', undefined],
    ['a named list', { lists: [{ name: 'VIP', id: '7' }] }],
  ])('is nothing once %s is written', (_what, options) => {
    expect(linesOf([aCampaign({ audience_filters: [filter(options)] })], [])).toEqual(['create: create']);
  });

  it('is not enough where only the end of the range is written', () => {
    const half = filter({ from_days: DAYS_TO_WRITE, to_days: 5 });
    expect(linesOf([aCampaign({ audience_filters: [half] })], [])).toEqual(['blocked']);
  });
});

describe('a replace of what no one can compare', () => {
  it.each([
    [
      'campaign',
      aCampaign({ audience_filters: [filter({})] }),
      aLiveCampaign({ audience_filters: [shown], messages: OTHER }),
    ],
    [
      'broadcast',
      aBroadcast({ audience_filters: [filter({})] }),
      aLiveBroadcast({ audience_filters: [shown], messages: OTHER }),
    ],
  ])('of a %s says that the audience may have had another range', (_kind, declared, observed) => {
    const unknown = planOf([declared], [observed], { allow: new Set(['adopt']) });
    expect(unknown.changes[0]?.action).toBe('replace');
    expect(unknown.diagnostics).toMatchObject([
      {
        severity: 'info',
        code: 'unverifiable',
        message: expect.stringContaining('audience_filters[0].options.from_days'),
      },
    ]);
  });
});
