import { describe, expect, it } from 'vitest';
import type { Allowance } from '../../src/domain/allowance.ts';
import type { Knowledge } from '../../src/domain/knowledge.ts';
import type { Declared, Observed } from '../../src/domain/resource.ts';
import type { Targeting } from '../../src/plan/targets.ts';
import {
  aBroadcast,
  aCampaign,
  aLiveBroadcast,
  aLiveCampaign,
  anOpenUnsend,
  knowing,
} from '../helpers/resource-builders.ts';
import { codesOf, lineOf, linesOf, NOON, planOf } from './plan-of.ts';

const TOKEN = { type: 'api_token', id: '1' };
const PERSON = { type: 'user', id: '7' };
const PRUNE: ReadonlySet<Allowance> = new Set(['prune', 'large']);

/** Something declared that stays, so that the files are not empty. */
const STAYS = aCampaign({ name: 'Stays' });
const stays = (parts: object = {}) => aLiveCampaign({ id: '900', name: 'Stays', ...parts });

interface Parts {
  readonly declared?: readonly Declared[];
  readonly knowledge?: Knowledge;
  readonly ownershipPrefix?: string | null;
  readonly targeting?: Targeting;
}

/** What becomes of the objects next to the one that stays. */
function pruned(observed: readonly Observed[], { declared = [], ...parts }: Parts = {}): readonly string[] {
  const plan = planOf([STAYS, ...declared], [stays(), ...observed], { allow: PRUNE, ...parts });
  return plan.changes.filter(({ live_id }) => live_id !== '900').map(lineOf);
}

const owned = (...ids: string[]) =>
  knowing({
    campaigns: ids.map((id) => ({ id, name: 'Old' })),
    broadcasts: ids.map((id) => ({ id, name: 'Old' })),
  });
const old = (parts: object = {}) =>
  aLiveCampaign({ id: '1', name: 'Old', messages: [{ text: 'Old' }], ...parts });
const oldBroadcast = (parts: object = {}) => aLiveBroadcast({ id: '1', name: 'Old', ...parts });

describe('what is no longer declared', () => {
  it('is listed by every plan, with what a prune would do', () => {
    const { changes, summary } = planOf([STAYS], [stays(), old()], { knowledge: owned('1') });
    expect(changes.find(({ live_id }) => live_id === '1')).toMatchObject({
      action: 'unmanaged',
      address: { account: 'alice', kind: 'campaign', name: 'Old' },
      reasons: [
        'Live (active) and unmanaged. Herald created or adopted it.',
        'Owned: with --allow prune it is archived.',
      ],
      needs: ['prune'],
      steps: [],
    });
    expect(summary.blocked).toBe(0);
  });

  it.each([
    ['an active campaign', old(), 'archive 1: archive 1'],
    ['a paused campaign', old({ status: 'paused' }), 'archive 1: archive 1'],
    ['a scheduled broadcast', oldBroadcast(), 'pause 1: check_not_left 1, pause 1, read_back 1'],
    ['a paused broadcast', oldBroadcast({ status: 'paused' }), 'unmanaged 1'],
    [
      'a paused broadcast that had left',
      oldBroadcast({ status: 'paused', scheduled_at: null }),
      'unmanaged 1',
    ],
    ['a queued broadcast', oldBroadcast({ status: 'queued' }), 'unmanaged 1'],
    ['a sending broadcast', oldBroadcast({ status: 'sending', scheduled_at: null }), 'unmanaged 1'],
    ['one that says scheduled and has no hour', oldBroadcast({ scheduled_at: null }), 'unmanaged 1'],
    ['one that leaves within the minute', oldBroadcast({ scheduled_at: at(59_000) }), 'unmanaged 1'],
    ['one with an hour that has passed', oldBroadcast({ scheduled_at: at(-1) }), 'unmanaged 1'],
    ['an unreadable broadcast', oldBroadcast({ messages: [] }), 'unmanaged 1'],
    ['a campaign with an action without a name', old({ action: null }), 'unmanaged 1'],
  ])('%s that is owned: %s', (_, object, expected) => {
    expect(pruned([object], { knowledge: owned('1') })).toEqual([expected]);
    expect(pruned([object])).toEqual(['unmanaged 1']);
  });

  it.each([
    ['a recalling campaign', old({ status: 'recalling' })],
    ['a recalled campaign', old({ status: 'recalled' })],
    ['an archived campaign', old({ status: 'archived' })],
    ['a campaign of an unknown status', old({ status: 'dozing' })],
    ['a campaign without a status', old({ status: null })],
    ['a broadcast without a status', oldBroadcast({ status: null })],
    ['a broadcast of an unknown status', oldBroadcast({ status: 'sent' })],
    ['an archived broadcast', oldBroadcast({ status: 'archived' })],
    ['something without a name', old({ name: null })],
  ])('%s is not even listed', (_, object) => {
    expect(pruned([object], { knowledge: owned('1') })).toEqual([]);
  });

  it.each([
    ['superseded by another version', { supersededBy: '2' }, 'unmanaged 1'],
    ['paused next to another version', { pausedFor: 'superseded' }, 'unmanaged 1'],
    ['paused for a replace that was never finished', { pausedFor: 'replace' }, 'archive 1: archive 1'],
    ['paused by hand', { pausedFor: 'by_hand' }, 'archive 1: archive 1'],
  ] as const)('a paused campaign %s: %s', (_, parts, expected) => {
    const knowledge = knowing({ campaigns: [{ id: '1', name: 'Old', ...parts }] });
    expect(pruned([old({ status: 'paused' })], { knowledge })).toEqual([expected]);
  });

  it('and was superseded, but runs, is archived', () => {
    const knowledge = knowing({ campaigns: [{ id: '1', name: 'Old', supersededBy: '2' }] });
    expect(pruned([old()], { knowledge })).toEqual(['archive 1: archive 1']);
  });

  it('is left alone while an unsend of it is on record', () => {
    const open = [anOpenUnsend(aCampaign({ name: 'Old' }), '1')];
    const knowledge = knowing({ campaigns: [{ id: '1', name: 'Old' }], open });
    expect(pruned([old()], { knowledge })).toEqual(['unmanaged 1']);
    const recalled = knowing({ campaigns: [{ id: '1', name: 'Old', recalled: true }] });
    expect(pruned([old()], { knowledge: recalled })).toEqual(['unmanaged 1']);
  });

  it('stays while a create that looks like its new name is blocked', () => {
    const renamed = aCampaign({ name: 'New', messages: [{ text: 'Old' }] });
    const parts = { declared: [renamed], knowledge: owned('1') };
    expect(pruned([old()], parts)).toEqual(['blocked', 'unmanaged 1']);
    const edited = aCampaign({ name: 'New', messages: [{ text: 'New' }] });
    expect(pruned([old()], { ...parts, declared: [edited] })).toEqual([
      'create: create',
      'archive 1: archive 1',
    ]);
  });

  it('stays while its new name comes too late to be created: it is the only one that goes out', () => {
    const soon = { scheduledAtUtc: at(2 * 60_000) };
    const renamed = aBroadcast({ name: 'New', ...soon });
    const object = oldBroadcast({ scheduled_at: soon.scheduledAtUtc });
    expect(pruned([object], { declared: [renamed], knowledge: owned('1') })).toEqual([
      'missed',
      'unmanaged 1',
    ]);
  });

  it('is left alone by an exclusion of the name under which it is live', () => {
    const knowledge = knowing({ campaigns: [{ id: '1', name: 'New' }] });
    const excluding = (name: string) => ({ targeting: { target: [], exclude: [`alice/campaign/${name}`] } });
    expect(pruned([old()], { knowledge, ...excluding('Old') })).toEqual([]);
    expect(pruned([old()], { knowledge, ...excluding('New') })).toEqual([]);
    expect(pruned([old()], { knowledge, ...excluding('Other') })).toEqual(['archive 1: archive 1']);
  });

  it('has the name that the files knew it by', () => {
    const knowledge = knowing({ campaigns: [{ id: '1', name: 'New' }] });
    const plan = planOf([STAYS], [stays(), old()], { knowledge });
    expect(plan.changes[0]).toMatchObject({ address: { name: 'New' }, live_id: '1' });
    expect(plan.changes[0]?.reasons[0]).toContain('Its live name is "Old".');
  });
});

describe('ownership', () => {
  const unknown = (parts: object = {}) => old({ name: 'gc/Old', created_by: TOKEN, ...parts });
  const gc = { ownershipPrefix: 'gc/' };
  const archived = ['archive 1: archive 1'];

  it('by the ledger does not ask for a name', () => {
    expect(pruned([old({ created_by: PERSON })], { knowledge: owned('1'), ...gc })).toEqual(archived);
  });

  it.each([
    ['made by our creator and under the prefix', unknown(), archived],
    ['made by someone else', unknown({ created_by: PERSON }), ['unmanaged 1']],
    ['made by no one that is named', unknown({ created_by: null }), ['unmanaged 1']],
    ['outside the prefix', unknown({ name: 'Old' }), ['unmanaged 1']],
  ])('of what the ledger does not know, %s', (_, object, expected) => {
    const knowledge = knowing({ creators: ['api_token:1'] });
    expect(pruned([object], { knowledge, ...gc })).toEqual(expected);
    expect(pruned([object], { knowledge })).toEqual(['unmanaged 1']);
  });

  it('of what was only stopped by hand is not the ledger’s', () => {
    const knowledge = knowing({ campaigns: [{ id: '1', name: 'Old', ours: false, createdByHerald: false }] });
    expect(pruned([old()], { knowledge })).toEqual(['unmanaged 1']);
  });

  it('of a text that is shown as a name belongs to no one', () => {
    const knowledge = knowing({ creators: ['api_token:1'] });
    const object = oldBroadcast({ name: 'gc/Hi', messages: [{ text: 'gc/Hi' }], created_by: TOKEN });
    expect(pruned([object], { knowledge, ...gc })).toEqual(['unmanaged 1']);
  });

  describe('without a ledger', () => {
    const declared = [aCampaign({ name: 'gc/A' }), aCampaign({ name: 'gc/B' })];
    const live = (first: typeof TOKEN | null, second: typeof TOKEN | null) => [
      aLiveCampaign({ id: '11', name: 'gc/A', created_by: first }),
      aLiveCampaign({ id: '12', name: 'gc/B', created_by: second }),
    ];
    const of1 = (observed: readonly Observed[]) =>
      pruned(observed, { declared, ...gc })
        .filter((line) => line.includes(' 1'))
        .filter((line) => !line.startsWith('keep'));

    it('is the one creator of everything that stands there as declared', () => {
      expect(of1([...live(TOKEN, TOKEN), unknown()])).toEqual(archived);
      expect(of1([...live(TOKEN, TOKEN), unknown({ created_by: PERSON })])).toEqual(['unmanaged 1']);
    });

    it('belongs to no one when there are several creators, or the service does not name one', () => {
      expect(of1([...live(TOKEN, PERSON), unknown()])).toEqual(['unmanaged 1']);
      expect(of1([...live(TOKEN, null), unknown()])).toEqual(['unmanaged 1']);
    });

    it('belongs to no one for a run of targets that does not read all that is declared', () => {
      const targets = (target: string) => ({ targeting: { target: [target], exclude: [] } });
      const observed = [...live(TOKEN, TOKEN), unknown()];
      const here = { ...gc, allow: PRUNE };
      expect(linesOf(declared, observed, { ...here, ...targets('alice/*/gc/Old') })).toEqual(archived);
      const more = [...declared, aCampaign({ account: 'bob', name: 'gc/A' })];
      expect(linesOf(more, observed, { ...here, ...targets('alice/*/gc/Old') })).toEqual(['unmanaged 1']);
    });

    it('belongs to no one when nothing stands there as declared', () => {
      expect(of1([unknown()])).toEqual(['unmanaged 1']);
    });
  });
});

describe('a prune of too much', () => {
  const many = (count: number, account = 'alice') =>
    Array.from({ length: count }, (_, index) =>
      aLiveCampaign({ account, id: `${100 + index}`, name: `C${index}`, messages: [{ text: `${index}` }] }),
    );
  const declaredOf = (objects: readonly Observed[]) =>
    objects.map(({ account, live }) =>
      aCampaign({ account, name: live.name ?? '', messages: [{ text: live.messages?.[0]?.text ?? '' }] }),
    );
  const known = (objects: readonly Observed[]) =>
    knowing({
      campaigns: objects.map(({ live, accountId }) => ({ id: live.id, accountId, name: live.name ?? '' })),
    });
  const codes = (objects: readonly Observed[], removed: number, allow: readonly Allowance[]) =>
    codesOf(
      planOf(declaredOf(objects).slice(removed), objects, {
        knowledge: known(objects),
        allow: new Set(allow),
      }),
    );

  it.each([
    [10, 3, []],
    [10, 4, ['prune-large']],
    [13, 4, ['prune-large']],
    [14, 4, []],
    [2, 1, ['prune-large']],
  ])('of %i owned objects on an account, %i', (count, removed, expected) => {
    expect(codes(many(count), removed, ['prune'])).toEqual(expected);
    expect(codes(many(count), removed, ['prune', 'large'])).toEqual([]);
    expect(codes(many(count), removed, [])).toEqual([]);
  });

  it('is reported for each account, with its figures', () => {
    const objects = [...many(4), ...many(10, 'bob')];
    const knowledge = known(objects);
    const plan = planOf(declaredOf(objects).slice(2), objects, { knowledge, allow: new Set(['prune']) });
    expect(plan.diagnostics).toMatchObject([
      {
        severity: 'error',
        code: 'prune-large',
        message:
          '2 of 4 owned objects on account alice would be stopped: 50 %, more than 30 %. Review them, then use --allow large.',
      },
    ]);
  });

  it('does not look small next to what is paused, archived or someone else’s', () => {
    const objects = many(4);
    const others = [
      ...Array.from({ length: 20 }, (_, index) => aLiveCampaign({ id: `${index + 500}`, name: `X${index}` })),
      ...Array.from({ length: 20 }, (_, index) =>
        aLiveCampaign({ id: `${index + 600}`, name: `Y${index}`, status: 'paused' }),
      ),
    ];
    const campaigns = [
      ...known(objects).objects.values(),
      ...others.slice(20).map(({ live }) => ({ id: live.id, name: 'C0', supersededBy: '100' })),
    ];
    const input = { knowledge: knowing({ campaigns }), allow: new Set<Allowance>(['prune']) };
    expect(codesOf(planOf(declaredOf(objects).slice(2), [...objects, ...others], input))).toEqual([
      'prune-large',
    ]);
  });

  it('is everything, when the files declare nothing: no allowance lets it', () => {
    const objects = many(3);
    const parts = { knowledge: known(objects), allow: PRUNE };
    expect(codesOf(planOf([], objects, parts))).toEqual(['prune-everything']);
    expect(codesOf(planOf([], [], { allow: PRUNE }))).toEqual([]);
  });
});

function at(afterMs: number): string {
  return new Date(NOON + afterMs).toISOString();
}
