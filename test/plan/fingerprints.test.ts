import { describe, expect, it } from 'vitest';
import type { Knowledge } from '../../src/domain/knowledge.ts';
import type { Declared, Observed } from '../../src/domain/resource.ts';
import { buildPlan, type PlanInput } from '../../src/plan/build.ts';
import { fingerprintsOf, withFingerprints } from '../../src/plan/fingerprint/fingerprints.ts';
import {
  aBroadcast,
  aCampaign,
  aLiveBroadcast,
  aLiveCampaign,
  createdFrom,
  knowing,
} from '../helpers/resource-builders.ts';
import { anInput, HOUR, NOON } from './plan-of.ts';

type Parts = Partial<PlanInput>;

const OTHER = [{ text: 'Another text' }];
const known = (parts: Parameters<typeof knowing>[0]): Parts => ({ knowledge: knowing(parts) });

/** The plan with its fingerprints, as `herald plan` prints it. */
function printed(declared: readonly Declared[], observed: readonly Observed[], parts: Parts = {}) {
  const input = anInput(declared, observed, parts);
  return withFingerprints(buildPlan(input), input);
}

/** The fingerprints of the changes that a person reviews. */
function printsOf(...args: Parameters<typeof printed>): readonly (string | undefined)[] {
  return printed(...args)
    .changes.filter(({ action }) => !['keep', 'done', 'unmanaged'].includes(action))
    .map(({ fingerprint }) => fingerprint);
}

describe('a fingerprint', () => {
  it('is on every change that a person reviews, and one is over all of them', () => {
    const plan = printed([aCampaign(), aBroadcast()], [aLiveBroadcast()]);
    expect(plan.changes.map(({ action, fingerprint }) => [action, fingerprint?.slice(0, 7)])).toEqual([
      ['keep', undefined],
      ['create', 'sha256:'],
    ]);
    expect(plan.changes[1]?.fingerprint).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(plan.fingerprint).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(plan.fingerprint).not.toBe(plan.changes[1]?.fingerprint);
  });

  it('of a plan changes with each of its changes, and not with what does nothing', () => {
    const one = printed([aCampaign()], []).fingerprint;
    expect(printed([aCampaign({ name: 'Other' })], []).fingerprint).not.toBe(one);
    expect(printed([aCampaign(), aBroadcast()], [aLiveBroadcast()]).fingerprint).toBe(one);
    expect(printed([], []).fingerprint).not.toBe(
      printed([], [], { service: { ...anInput([], []).service, origin: 'https://b.example' } }).fingerprint,
    );
  });

  it('stays while time passes', () => {
    const observed = [aLiveCampaign({ messages: OTHER, targeted_sends_count: 5 })];
    const later = [
      aLiveCampaign({
        messages: OTHER,
        targeted_sends_count: 900,
        first_message_stats: { sent_messages_count: 40 },
      }),
    ];
    const declared = [aCampaign(), aBroadcast()];
    const ours = known({ campaigns: [{ id: '1' }] });
    expect(printsOf(declared, observed, ours)).toHaveLength(2);
    expect(printsOf(declared, later, { ...ours, nowMs: NOON + 3 * HOUR })).toEqual(
      printsOf(declared, observed, ours),
    );
  });

  it('stays while the dates of an audience in days move', () => {
    const filter = (from_at: string) => [{ kind: 'subscribed_date', mode: 'include', options: { from_at } }];
    const live = (from: string) => aLiveCampaign({ messages: OTHER, audience_filters: filter(from) });
    const ours = known({ campaigns: [{ id: '1' }] });
    const declared = [
      aCampaign({
        audience_filters: [{ kind: 'subscribed_date', mode: 'include', options: { from_days: 30 } }],
      }),
    ];
    expect(printsOf(declared, [live('2026-05-01T00:00:00Z')], ours)).toEqual(
      printsOf(declared, [live('2026-05-02T00:00:00Z')], ours),
    );
  });

  it.each<{ title: string; changed: Parts }>([
    {
      title: 'the service',
      changed: { service: { origin: 'https://other.example', source: 'herald.yaml', simulator: false } },
    },
    {
      title: 'the account id',
      changed: { accounts: [{ alias: 'alice', accountId: '9007199254740993001' }] },
    },
  ])('is another one for another of $title', ({ changed }) => {
    expect(printsOf([aCampaign()], [], changed)).not.toEqual(printsOf([aCampaign()], []));
  });

  it('tells 19-digit ids apart', () => {
    const on = (accountId: string) =>
      printsOf([aCampaign()], [], { accounts: [{ alias: 'alice', accountId }] });
    expect(on('9007199254740993001')).not.toEqual(on('9007199254740993002'));
  });

  it('tells Unicode spellings apart, because fans get these bytes', () => {
    const saying = (text: string) => printsOf([aCampaign({ messages: [{ text }] })], []);
    expect(saying('caf\u00e9')).not.toEqual(saying('cafe\u0301'));
  });

  it('cannot be had by moving text from one field to another', () => {
    const saying = (...texts: string[]) =>
      printsOf([aCampaign({ messages: texts.map((text) => ({ text })) })], []);
    const all = [saying('ab', 'c'), saying('a', 'bc'), saying('abc'), saying('a","text":"bc')];
    expect(new Set(all.flat()).size).toBe(4);
  });
});

describe('what a change takes away', () => {
  const replacing = (...live: readonly Observed[]) => {
    const plan = printed(
      [aCampaign()],
      live,
      known({ campaigns: live.map((object) => ({ id: object.live.id })) }),
    );
    return plan.changes.map(({ action, fingerprint }) => [action, fingerprint]);
  };
  const old = (parts = {}) => aLiveCampaign({ messages: OTHER, ...parts });

  it.each<{ title: string; live: readonly Observed[] }>([
    { title: 'another object', live: [old({ id: '2' })] },
    { title: 'one more object', live: [old(), old({ id: '2' })] },
    { title: 'an object that someone edited', live: [old({ messages: [{ text: 'Edited by hand' }] })] },
    {
      title: 'an object that someone repriced',
      live: [old({ messages: [{ ...OTHER[0], price_gross: 9.5 }] })],
    },
    { title: 'nothing', live: [] },
  ])('is part of its fingerprint: $title', ({ live }) => {
    const [[action, fingerprint] = []] = replacing(...live);
    expect(action).toMatch(/^(?:replace|create)$/);
    expect(fingerprint).not.toBe(replacing(old())[0]?.[1]);
  });

  it('is part of its fingerprint: the status of an object that is archived', () => {
    const archiving = (status: string) => {
      const live = [aLiveCampaign({ status, messages: OTHER })];
      const plan = printed([aCampaign({ target: 'archived' })], live, known({ campaigns: [{ id: '1' }] }));
      return plan.changes.map(({ action, fingerprint }) => [action, fingerprint]);
    };
    const [[action, fingerprint] = []] = archiving('active');
    expect(archiving('paused')).toEqual([[action, expect.not.stringMatching(fingerprint ?? '')]]);
    expect(action).toBe('archive');
  });

  it('does not depend on the order of a list', () => {
    expect(replacing(old({ id: '2' }), old())).toEqual(replacing(old(), old({ id: '2' })));
  });

  it('is the old queue, too, and whether fans may get both', () => {
    const replacedBy = (parts: Parameters<typeof aCampaign>[0]) =>
      printsOf([aCampaign(parts)], [old()], known({ campaigns: [{ id: '1' }] }));
    const all = [{}, { oldQueue: 'clear' }, { replace: 'create_first' }] as const;
    expect(new Set(all.flatMap((parts) => replacedBy(parts))).size).toBe(3);
  });
});

describe('a reviewed change that was cut short', () => {
  const declared = aCampaign();
  const old = (status: string) => aLiveCampaign({ status, messages: OTHER });
  const reviewed = (resource: Declared = declared) =>
    printsOf([resource], [old('active')], known({ campaigns: [{ id: '1' }] }));
  /** Of the only change after the kill: what it is, and what it is a part of. */
  const rest = (resource: Declared, observed: readonly Observed[], knowledge: Knowledge) => {
    const input = anInput([resource], observed, { knowledge });
    const plan = buildPlan(input);
    const fingerprints = fingerprintsOf(input);
    const changes = plan.changes.filter(({ action }) => action !== 'keep');
    return changes.map((change) => [change.action, fingerprints.of(change), fingerprints.partOf(change)]);
  };

  it('is the same after its pause: the new version is still missing', () => {
    const knowledge = knowing({ campaigns: [{ id: '1', pausedFor: 'replace', pausedAtMs: NOON }] });
    expect(rest(declared, [old('paused')], knowledge)).toEqual([['replace', reviewed()[0], []]]);
  });

  it('is another one if a person paused the old version', () => {
    const knowledge = knowing({ campaigns: [{ id: '1', pausedFor: 'by_hand' }] });
    expect(rest(declared, [old('paused')], knowledge)[0]?.[1]).not.toBe(reviewed()[0]);
  });

  it('is known by its rest: the old version is still to be archived', () => {
    const clearing = aCampaign({ oldQueue: 'clear' });
    const knowledge = knowing({
      campaigns: [
        { id: '1', pausedFor: 'replace', pausedAtMs: NOON, supersededBy: '2' },
        { id: '2', ...createdFrom(clearing) },
      ],
    });
    expect(rest(clearing, [old('paused'), aLiveCampaign({ id: '2' })], knowledge)).toEqual([
      ['archive', expect.any(String), reviewed(clearing)],
    ]);
  });

  it('covers a second copy that its own lost create made', () => {
    const knowledge = knowing({ campaigns: [{ id: '1', ...createdFrom(declared) }], creators: ['user:7'] });
    const by = { created_by: { type: 'user', id: '7' } };
    const [stop] = rest(declared, [aLiveCampaign(by), aLiveCampaign({ id: '2', ...by })], knowledge);
    expect(stop?.[0]).toBe('retire');
    expect(stop?.[2]).toContain(printsOf([declared], [])[0]);
  });

  it('does not cover a stop of another version that someone else made', () => {
    const knowledge = knowing({ campaigns: [{ id: '1', ...createdFrom(declared) }, { id: '2' }] });
    const [stop] = rest(declared, [aLiveCampaign(), aLiveCampaign({ id: '2', messages: OTHER })], knowledge);
    expect(stop?.[0]).toBe('pause');
    expect(stop?.[2]).toEqual([]);
  });

  it('of a broadcast is the same after its pause', () => {
    const resource = aBroadcast();
    const live = (status: string) => aLiveBroadcast({ status, messages: OTHER });
    const before = printsOf([resource], [live('scheduled')], known({ broadcasts: [{ id: '1' }] }));
    const knowledge = knowing({ broadcasts: [{ id: '1', pausedFor: 'replace', pausedAtMs: NOON }] });
    expect(rest(resource, [live('paused')], knowledge)).toEqual([['replace', before[0], []]]);
  });
});
