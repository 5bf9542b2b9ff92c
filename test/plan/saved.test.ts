import { describe, expect, it } from 'vitest';
import type { Declared, Observed } from '../../src/domain/resource.ts';
import { buildPlan, type PlanInput } from '../../src/plan/build.ts';
import { savePlan, sealedPlanShape, sealOf, staleness } from '../../src/plan/saved.ts';
import { EVERYTHING } from '../../src/plan/targets.ts';
import {
  aBroadcast,
  aCampaign,
  aLiveBroadcast,
  aLiveCampaign,
  knowing,
} from '../helpers/resource-builders.ts';
import { anInput, HOUR, NOON } from './plan-of.ts';

const OTHER = [{ text: 'Another text' }];
const OURS = knowing({ campaigns: [{ id: '1' }], broadcasts: [{ id: '1' }] });

interface Moment {
  readonly declared: readonly Declared[];
  readonly observed: readonly Observed[];
  readonly nowMs?: number;
  readonly digest?: string;
}

const inputAt = ({ declared, observed, nowMs = NOON }: Moment): PlanInput =>
  anInput(declared, observed, { knowledge: OURS, nowMs, allow: new Set(['adopt']) });

const ACCOUNTS = [{ alias: 'alice', accountId: '101' }];

/** What is stale when `before` was saved and `after` is found. */
function staleAfter(before: Moment, after: Partial<Moment>): readonly string[] {
  const saved = savedAt(before);
  const now = { ...before, ...after };
  const { nowMs = NOON, digest = 'files-1', observed } = now;
  return staleness(saved, {
    plan: buildPlan(inputAt(now)),
    workspaceDigest: digest,
    observed,
    accounts: ACCOUNTS,
    nowMs,
    maxAgeMs: 24 * HOUR,
  });
}

function savedAt(moment: Moment) {
  const { nowMs = NOON, digest = 'files-1', observed } = moment;
  const plan = buildPlan(inputAt(moment));
  return savePlan({
    plan,
    workspaceDigest: digest,
    allow: new Set(['resume', 'adopt']),
    targeting: EVERYTHING,
    observed,
    accounts: ACCOUNTS,
    nowMs,
  });
}

const live = (parts: Parameters<typeof aLiveCampaign>[0] = {}) =>
  aLiveCampaign({ messages: OTHER, ...parts });
const replacing: Moment = { declared: [aCampaign()], observed: [live()] };

describe('a saved plan', () => {
  it('is written as its shape says, with sorted allowances, and survives a round trip', () => {
    const saved = savedAt(replacing);
    const sealed = { ...saved, digest: sealOf(saved) };
    const read = sealedPlanShape.parse(JSON.parse(JSON.stringify(sealed)));
    expect(read).toEqual(sealed);
    expect(sealOf(read)).toBe(sealed.digest);
    expect(saved.allow).toEqual(['adopt', 'resume']);
    expect(Object.keys(saved.groups)).toEqual(['alice/campaign/Welcome']);
  });

  it('is not stale when nothing moved, in whatever order the lists come', () => {
    const observed = [live({ id: '1' }), live({ id: '2' })];
    const moment = { declared: [aCampaign()], observed };
    expect(staleAfter(moment, {})).toEqual([]);
    expect(staleAfter(moment, { observed: observed.toReversed() })).toEqual([]);
  });

  it('is not stale when only figures, undeclared neighbours or the order of filters moved', () => {
    const filters = [
      { kind: 'subscribed_date', mode: 'include' },
      { kind: 'subscribed_date', mode: 'exclude' },
    ];
    const before = { declared: [aCampaign()], observed: [live({ audience_filters: filters })] };
    const after = [
      live({ audience_filters: filters.toReversed(), targeted_sends_count: 9 }),
      aLiveCampaign({ id: '7', name: 'Else', messages: [{ text: 'Else' }] }),
    ];
    expect(staleAfter(before, { observed: after })).toEqual([]);
  });

  it.each([
    ['the status', [live({ status: 'paused' })]],
    ['the content', [live({ messages: [{ text: 'Third' }] })]],
    ['a rule that no file declares', [live({ rules: { unsend_delay_sec: 1 } })]],
    ['the name of the object', [live({ name: 'Else' })]],
    ['a new member', [live(), live({ id: '2' })]],
    ['its absence', []],
  ])('is stale when %s changed', (_, observed) => {
    expect(staleAfter(replacing, { observed })).toEqual([
      'alice/campaign/Welcome has changed on the service since',
    ]);
  });

  it('is stale when something appears where a create was planned', () => {
    const creating = {
      declared: [aBroadcast()],
      observed: [aLiveBroadcast({ id: '9', name: 'Else', messages: OTHER })],
    };
    const appeared = [...creating.observed, aLiveBroadcast({ id: '8' })];
    const knowledge = knowing();
    const plan = (observed: readonly Observed[]) =>
      buildPlan(anInput(creating.declared, observed, { knowledge }));
    const saved = savePlan({
      plan: plan(creating.observed),
      workspaceDigest: 'f',
      allow: new Set(),
      targeting: EVERYTHING,
      observed: creating.observed,
      accounts: ACCOUNTS,
      nowMs: NOON,
    });
    const fresh = {
      plan: plan(appeared),
      workspaceDigest: 'f',
      observed: appeared,
      accounts: ACCOUNTS,
      nowMs: NOON,
      maxAgeMs: HOUR,
    };
    expect(staleness(saved, fresh)).toEqual(['alice/broadcast/Teaser has changed on the service since']);
  });

  it('is stale when the files changed', () => {
    expect(staleAfter(replacing, { digest: 'files-2' })).toEqual(['the files have changed since']);
  });

  it('is stale after its longest age, and not at it', () => {
    expect(staleAfter(replacing, { nowMs: NOON + 24 * HOUR })).toEqual([]);
    expect(staleAfter(replacing, { nowMs: NOON + 24 * HOUR + 1 })).toEqual([
      'it was made at 2026-06-01T12:00:00.000Z, longer ago than --max-plan-age allows',
    ]);
  });

  it('is stale when it was made in the future', () => {
    expect(staleAfter(replacing, { nowMs: NOON - HOUR })).toEqual([
      'it was made at 2026-06-01T12:00:00.000Z, which is in the future',
    ]);
  });

  // ACCOUNT-3
  it('is stale when an alias has come to mean another account', () => {
    const saved = { ...savedAt(replacing), accounts: { alice: '999' } };
    const fresh = {
      plan: saved.plan,
      workspaceDigest: 'files-1',
      observed: replacing.observed,
      accounts: ACCOUNTS,
      nowMs: NOON,
      maxAgeMs: HOUR,
    };
    expect(staleness(saved, fresh)).toEqual(['alice was account 999 and is 101 now']);
  });

  it('is stale when it names fewer or more accounts than it changes', () => {
    for (const [accounts, reason] of [
      [{}, 'alice was account none and is 101 now'],
      [{ alice: '101', bob: '102' }, 'bob was account 102 and is none now'],
    ] as const) {
      const saved = { ...savedAt(replacing), accounts };
      const fresh = {
        plan: saved.plan,
        workspaceDigest: 'files-1',
        observed: replacing.observed,
        accounts: ACCOUNTS,
        nowMs: NOON,
        maxAgeMs: HOUR,
      };
      expect(staleness(saved, fresh)).toEqual([reason]);
    }
  });

  it('is stale when it binds less than it changes', () => {
    const saved = { ...savedAt(replacing), groups: {} };
    const fresh = {
      plan: saved.plan,
      workspaceDigest: 'files-1',
      observed: replacing.observed,
      accounts: ACCOUNTS,
      nowMs: NOON,
      maxAgeMs: HOUR,
    };
    expect(staleness(saved, fresh)).toEqual(['alice/campaign/Welcome has changed on the service since']);
  });

  it('is stale when its date cannot be read', () => {
    const saved = { ...savedAt(replacing), created_at: 'yesterday' };
    const fresh = {
      plan: saved.plan,
      workspaceDigest: 'files-1',
      observed: replacing.observed,
      accounts: ACCOUNTS,
      nowMs: NOON,
      maxAgeMs: HOUR,
    };
    expect(staleness(saved, fresh)).toHaveLength(1);
  });

  it('is stale when a schedule is now too near', () => {
    const moment = { declared: [aBroadcast()], observed: [aLiveBroadcast({ messages: OTHER })] };
    expect(staleAfter(moment, { nowMs: NOON + 5 * HOUR })).toEqual([]);
    expect(staleAfter(moment, { nowMs: NOON + 6 * HOUR - 60_000 })).toEqual([
      expect.stringMatching(
        /^alice\/broadcast\/Teaser \(1\): the plan would replace it, and now it is done \(Its time 2026-06-01T18:00:00Z has passed, or is too near .*\), so Herald would leave it as it is$/,
      ),
    ]);
  });

  it('says everything that moved at once', () => {
    expect(staleAfter(replacing, { digest: 'files-2', observed: [], nowMs: NOON + 25 * HOUR })).toHaveLength(
      3,
    );
  });
});
