import { describe, expect, it } from 'vitest';
import { DAYS_TO_WRITE, type DeclaredFilter } from '../../src/domain/audience.ts';
import { hiddenDigest } from '../../src/domain/hidden.ts';
import { contentDigest as digestOf } from '../../src/domain/media.ts';
import type { KnownObject } from '../../src/domain/knowledge.ts';
import type { ObservedFilter } from '../../src/domain/replies.ts';
import { compare } from '../../src/plan/compare/compare.ts';
import { compareAudience } from '../../src/plan/compare/audience.ts';
import { aCampaign, aLiveCampaign, createdFrom, knowing } from '../helpers/resource-builders.ts';

const filter = (
  options: DeclaredFilter['options'] = {},
  mode: 'include' | 'exclude' = 'include',
): DeclaredFilter => ({
  kind: 'subscribed_date',
  mode,
  options,
});
const live = (options: NonNullable<ObservedFilter['options']> = {}, mode = 'include'): ObservedFilter => ({
  kind: 'subscribed_date',
  mode,
  options,
});

function audienceOf(
  declared: DeclaredFilter[],
  observed: ObservedFilter[] | null,
  known: Partial<KnownObject> | null = null,
) {
  const object =
    known === null
      ? null
      : ([...knowing({ campaigns: [{ id: '1', ...known }] }).objects.values()][0] ?? null);
  const result = compare(
    aCampaign({ audience_filters: declared }),
    aLiveCampaign({ audience_filters: observed }),
    object,
  );
  if (result.verdict === 'unknowable') return result.verdict;
  const fields = result.verdict === 'different' ? result.fields.map(({ path }) => path) : [];
  return { fields, unverifiable: result.unverifiable };
}

const EQUAL = { fields: [], unverifiable: [] };
const DIFFERENT = { fields: ['audience_filters'], unverifiable: [] };
const paths = ['audience_filters[0].options.from_days', 'audience_filters[0].options.to_days'];

describe('audience filters', () => {
  // CONTENT-19
  it('are a multiset: order says nothing, number does', () => {
    const [included, excluded] = [filter(), filter({}, 'exclude')];
    const known = { hiddenDigest: hiddenDigest([included, excluded]) };
    expect(audienceOf([included, excluded], [live({}, 'exclude'), live()], known)).toEqual(EQUAL);
    expect(audienceOf([included, included], [live(), live({}, 'exclude')])).toMatchObject({
      fields: ['audience_filters'],
    });
    expect(audienceOf([included], [live(), live()])).toMatchObject({ fields: ['audience_filters'] });
  });

  it('everyone is not one filter, and one filter is not everyone', () => {
    expect(audienceOf([], [live()])).toEqual(DIFFERENT);
    expect(audienceOf([filter()], [])).toEqual(DIFFERENT);
    expect(audienceOf([], [])).toEqual(EQUAL);
  });

  it('that cannot be read are unverifiable', () => {
    expect(audienceOf([filter()], null)).toEqual({ fields: [], unverifiable: ['audience_filters'] });
  });

  it('find their partners even when the first choice is another’s only one', () => {
    const wanted = [
      filter({ lists: [{ name: 'a', id: '1' }, { name: 'x' }] }),
      filter({ lists: [{ name: 'b', id: '2' }, { name: 'y' }] }),
    ];
    const got = [live({ lists: [{ id: '1' }, { id: '2' }] }), live({ lists: [{ id: '1' }, { id: '3' }] })];
    const sent = { listIds: null, isOfThisContent: null };
    expect(compareAudience(wanted, got, sent).fields).toEqual([]);
    expect(compareAudience(wanted.toReversed(), got.toReversed(), sent).fields).toEqual([]);
  });
});

describe('fan lists', () => {
  const lists = (...entries: { name: string; id?: string }[]) => [filter({ lists: entries })];
  const got = (...ids: string[]) => [live({ lists: ids.map((id) => ({ id })) })];

  // CONTENT-17
  it('are compared as sets of pinned ids', () => {
    const declared = lists({ name: 'a', id: '1' }, { name: 'b', id: '2' });
    expect(
      audienceOf(declared, got('2', '1'), createdFrom(aCampaign({ audience_filters: declared }))),
    ).toEqual(EQUAL);
    expect(audienceOf(declared, got('1', '3'))).toMatchObject({ fields: ['audience_filters'] });
    expect(audienceOf(lists({ name: 'a', id: '1' }, { name: 'a', id: '1' }), got('1', '2'))).toMatchObject({
      fields: ['audience_filters'],
    });
  });

  it('without ids are counted, and their names are unverifiable', () => {
    expect(audienceOf(lists({ name: 'a' }), got('7'))).toEqual({
      fields: [],
      unverifiable: [paths[0], 'audience_filters[0].options.lists[0].name', paths[1]],
    });
    expect(audienceOf(lists({ name: 'a' }), got('7', '8'))).toMatchObject({ fields: ['audience_filters'] });
  });

  it('without ids are compared with the ids that our create was answered', () => {
    const declared = lists({ name: 'a' });
    const known = createdFrom(aCampaign({ audience_filters: declared }));
    expect(audienceOf(declared, got('7'), { ...known, listIds: ['7'] })).toEqual(EQUAL);
    expect(audienceOf(declared, got('8'), { ...known, listIds: ['7'] })).toEqual(DIFFERENT);
  });
});

describe('what no reply shows', () => {
  const days = (from_days: number) => [filter({ from_days, to_days: 0 })];

  it('is equal when the ledger knows the same digest', () => {
    expect(audienceOf(days(30), [live()], { hiddenDigest: hiddenDigest(days(30)) })).toEqual(EQUAL);
  });

  it('is different when the ledger knows another digest', () => {
    expect(audienceOf(days(30), [live()], { hiddenDigest: hiddenDigest(days(31)) })).toEqual({
      fields: paths,
      unverifiable: [],
    });
  });

  // CONTENT-18
  it('is unverifiable without the ledger: never drift, never claimed equal', () => {
    expect(audienceOf(days(30), [live()])).toEqual({ fields: [], unverifiable: paths });
    expect(audienceOf(days(30), [live()], { hiddenDigest: null })).toEqual({
      fields: [],
      unverifiable: paths,
    });
  });

  it('is different when the files no longer say it', () => {
    expect(audienceOf([filter()], [live()], { hiddenDigest: hiddenDigest(days(30)) })).toEqual(DIFFERENT);
  });

  it('is reported once when the filter itself differs, too', () => {
    expect(audienceOf([filter({}, 'exclude')], [live()], { hiddenDigest: hiddenDigest([filter()]) })).toEqual(
      DIFFERENT,
    );
  });

  it('is the same whatever the order of filters and lists', () => {
    const one = filter({ lists: [{ name: 'a' }, { name: 'b' }] });
    const two = filter({ from_days: 3 }, 'exclude');
    const turned = filter({ lists: [{ name: 'b' }, { name: 'a' }] });
    const observed = [live({ lists: [{ id: '1' }, { id: '2' }] }), live({}, 'exclude')];
    expect(audienceOf([two, turned], observed, { hiddenDigest: hiddenDigest([one, two]) })).toEqual(EQUAL);
  });

  it('may show as dates, which are not compared', () => {
    expect(
      audienceOf(days(30), [live({ from_at: '2026-05-02T00:00:00Z' })], {
        hiddenDigest: hiddenDigest(days(30)),
      }),
    ).toEqual(EQUAL);
  });
});

describe('dates', () => {
  const from_at = '2026-05-01T00:00:00Z';

  it('are instants', () => {
    expect(audienceOf([filter({ from_at })], [live({ from_at: '2026-05-01T02:00:00+02:00' })])).toEqual(
      EQUAL,
    );
    expect(audienceOf([filter({ from_at })], [live({ from_at: '2026-05-02T00:00:00Z' })])).toEqual(DIFFERENT);
    expect(audienceOf([filter({ from_at })], [live()])).toEqual(DIFFERENT);
  });

  it('that the files dropped make the audience wider: different when the ledger knows what was sent', () => {
    const { contentDigest } = createdFrom(aCampaign({ audience_filters: [filter({ from_at })] }));
    expect(audienceOf([filter()], [live({ from_at })], { contentDigest })).toEqual(DIFFERENT);
  });

  it('that the files dropped are not taken for the days of another filter', () => {
    const [from, days] = [filter({ from_at: '2026-01-01T00:00:00Z' }), filter({ to_days: 0 })];
    const observed = [live({ from_at: '2026-01-01T00:00:00Z' }), live()];
    const known = createdFrom(aCampaign({ audience_filters: [from, days] }));
    expect(audienceOf([from, days], observed, known)).toEqual(EQUAL);
    expect(audienceOf([filter(), days], observed, known)).toEqual(DIFFERENT);
  });

  it('that the service added to exactly this content are its own', () => {
    const contentDigest = digestOf(aCampaign({ audience_filters: [filter()] }).content);
    expect(audienceOf([filter()], [live({ from_at })], { contentDigest })).toEqual(EQUAL);
  });

  it('that no file states and no one knows of are unverifiable', () => {
    expect(audienceOf([filter()], [live({ from_at })])).toEqual({
      fields: [],
      unverifiable: ['audience_filters'],
    });
  });
});

describe('days that a live filter may hide and no file states', () => {
  const from_at = '2026-05-01T00:00:00Z';
  const UNKNOWN = { fields: [], unverifiable: paths };
  const open = [filter({ from_days: DAYS_TO_WRITE })];

  it.each<[string, ReturnType<typeof audienceOf>, unknown]>([
    ['are unverifiable without the ledger', audienceOf([filter()], [live()]), UNKNOWN],
    ['are unverifiable where an import left them open', audienceOf(open, [live()]), UNKNOWN],
    ['are none next to dates', audienceOf([filter({ from_at })], [live({ from_at })]), EQUAL],
    ['are none in a set of other filters', audienceOf([], []), EQUAL],
    [
      'are none when the ledger knows that none were sent',
      audienceOf([filter()], [live()], { hiddenDigest: hiddenDigest([filter()]) }),
      EQUAL,
    ],
    [
      'are none when the ledger knows it, left open or not',
      audienceOf(open, [live()], { hiddenDigest: hiddenDigest([filter()]) }),
      EQUAL,
    ],
    [
      'are a difference when the ledger knows that some were sent',
      audienceOf(open, [live()], { hiddenDigest: hiddenDigest([filter({ from_days: 30 })]) }),
      DIFFERENT,
    ],
    [
      'are not told next to the filters that differ',
      audienceOf([filter({}, 'exclude')], [live()]),
      DIFFERENT,
    ],
  ])('%s', (_what, found, expected) => {
    expect(found).toEqual(expected);
  });
});
