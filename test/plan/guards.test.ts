import { describe, expect, it } from 'vitest';
import type { Declared } from '../../src/domain/resource.ts';
import {
  aBroadcast,
  aCampaign,
  aLiveBroadcast,
  aLiveCampaign,
  anOpenEntry,
  anOpenStatus,
  anOpenUnsend,
  createdFrom,
  knowing,
  served,
} from '../helpers/resource-builders.ts';
import { aPolicy } from '../helpers/policy-builders.ts';
import { codesOf, HOUR, lineOf, linesOf, NOON, planOf } from './plan-of.ts';

const OTHER = [{ text: 'Another text' }];

describe('a rename', () => {
  it.each(['active', 'paused'])(
    'without renamed_from blocks, no matter who made the old one (%s)',
    (status) => {
      const plan = planOf([aCampaign({ name: 'New' })], [aLiveCampaign({ name: 'Old', status })]);
      expect(plan.changes.map(lineOf)).toEqual(['blocked', 'unmanaged 1']);
      expect(plan.changes[0]?.reasons[0]).toContain('renamed_from: "Old"');
    },
  );

  it('blocks although someone edited the old one since Herald made it', () => {
    const declared = aCampaign({ name: 'New' });
    const live = aLiveCampaign({ name: 'Old', messages: OTHER });
    const knowledge = knowing({ campaigns: [{ id: '1', name: 'Old', ...createdFrom(declared) }] });
    const plan = planOf([declared], [live], { knowledge });
    expect(plan.changes.map(lineOf)).toEqual(['blocked', 'unmanaged 1']);
    expect(plan.changes[0]?.reasons[0]).toContain('created the unmanaged "Old" (1) from the same content');
    expect(linesOf([{ ...declared, ignore: ['messages'] }], [live], { knowledge })[0]).toBe('blocked');
    expect(linesOf([aCampaign({ name: 'New', messages: [{ text: 'New' }] })], [live], { knowledge })).toEqual(
      ['create: create', 'unmanaged 1 needs prune'],
    );
  });

  it('that also moves the schedule blocks, too: fans would get both', () => {
    const moved = aBroadcast({ name: 'New', scheduledAtUtc: '2026-06-02T18:00:00Z' });
    expect(linesOf([moved], [aLiveBroadcast({ name: 'Old' })])).toEqual(['blocked', 'unmanaged 1']);
  });

  it('of what can no longer send is a new send on purpose', () => {
    expect(
      linesOf([aCampaign({ name: 'New' })], [aLiveCampaign({ name: 'Old', status: 'archived' })]),
    ).toEqual(['create: create']);
    expect(
      linesOf(
        [aBroadcast({ name: 'New' })],
        [aLiveBroadcast({ name: 'Old', status: null, scheduled_at: null })],
      ),
    ).toEqual(['create: create']);
  });

  it('is not a rename when another file declares the old name', () => {
    expect(
      linesOf([aCampaign({ name: 'New' }), aCampaign({ name: 'Old' })], [aLiveCampaign({ name: 'Old' })]),
    ).toEqual(['create: create', 'keep 1']);
  });

  // CONTENT-4
  it('with renamed_from keeps an equal one and replaces a different one', () => {
    const declared = aCampaign({ name: 'New', renamedFrom: 'Old' });
    const knowledge = knowing({ campaigns: [{ id: '1', name: 'Old' }] });
    expect(linesOf([declared], [aLiveCampaign({ name: 'Old' })], { knowledge })).toEqual(['keep 1']);
    expect(linesOf([declared], [aLiveCampaign({ name: 'Old', messages: OTHER })], { knowledge })).toEqual([
      'replace 1: pause 1, create, read_back',
    ]);
  });

  it('finds an object with an old name that the service had rewritten', () => {
    const knowledge = knowing({ campaigns: [{ id: '1', name: 'Old' }] });
    const live = aLiveCampaign({ name: 'old (rewritten)', messages: OTHER });
    expect(linesOf([aCampaign({ name: 'New', renamedFrom: 'Old' })], [live], { knowledge })).toEqual([
      'replace 1: pause 1, create, read_back',
    ]);
  });

  it('stays one after renamed_from is removed, because the ledger knows the new name', () => {
    const knowledge = knowing({ campaigns: [{ id: '1', name: 'New' }] });
    expect(linesOf([aCampaign({ name: 'New' })], [aLiveCampaign({ name: 'Old' })], { knowledge })).toEqual([
      'keep 1',
    ]);
  });

  it('keeps the lowest number among old and new name', () => {
    const knowledge = knowing({
      campaigns: [
        { id: '2', name: 'New' },
        { id: '10', name: 'Old' },
      ],
    });
    const observed = [aLiveCampaign({ id: '10', name: 'Old' }), aLiveCampaign({ id: '2', name: 'New' })];
    expect(linesOf([aCampaign({ name: 'New', renamedFrom: 'Old' })], observed, { knowledge })).toEqual([
      'keep 2',
      'retire 10: archive 10',
    ]);
  });
});

describe('a create without an answer', () => {
  const settleMs = 75_000;
  const sentAgo = (ms: number) => ({ sentAtMs: NOON - ms });

  it('holds back a second one until the settle window is over', () => {
    const inside = knowing({ open: [anOpenEntry(aCampaign(), sentAgo(settleMs - 1))] });
    const plan = planOf([aCampaign()], [], { knowledge: inside, settleMs });
    expect(plan.changes.map(lineOf)).toEqual(['blocked']);
    expect(codesOf(plan)).toEqual(['open-entry']);
    const outside = knowing({ open: [anOpenEntry(aCampaign(), sentAgo(settleMs))] });
    expect(linesOf([aCampaign()], [], { knowledge: outside, settleMs })).toEqual(['create: create']);
  });

  it('names the command to run after that, which sends a draft as well', () => {
    const reasonsOf = (declared: Declared) =>
      planOf([declared], [], {
        knowledge: knowing({ open: [anOpenEntry(declared, sentAgo(1000))] }),
        allow: new Set(['now']),
      })
        .changes.flatMap(({ reasons }) => reasons)
        .join(' ');
    expect(reasonsOf(aBroadcast())).toContain('Run herald apply after that.');
    expect(reasonsOf({ ...aBroadcast(), atOnce: true })).toContain('Run herald broadcasts send after that.');
  });

  it('holds back the create of a replace', () => {
    const open = [anOpenEntry(aCampaign(), sentAgo(1000))];
    const knowledge = knowing({ campaigns: [{ id: '1', pausedFor: 'replace' }], open });
    expect(
      linesOf([aCampaign()], [aLiveCampaign({ status: 'paused', messages: OTHER })], { knowledge }),
    ).toEqual(['blocked 1']);
  });

  it('holds back switching the old version on again after a revert: both would send', () => {
    const campaign = [anOpenEntry(aCampaign({ messages: OTHER }), sentAgo(1000))];
    const paused = knowing({ campaigns: [{ id: '1', pausedFor: 'replace' }], open: campaign });
    expect(linesOf([aCampaign()], [aLiveCampaign({ status: 'paused' })], { knowledge: paused })).toEqual([
      'blocked 1',
    ]);
    const broadcast = [anOpenEntry(aBroadcast({ messages: OTHER }), sentAgo(1000))];
    const halted = knowing({ broadcasts: [{ id: '1', pausedFor: 'replace' }], open: broadcast });
    expect(linesOf([aBroadcast()], [aLiveBroadcast({ status: 'paused' })], { knowledge: halted })).toEqual([
      'blocked 1',
    ]);
  });

  it('holds back the create under a new name, with renamed_from and without', () => {
    const knowledge = knowing({ open: [anOpenEntry(aCampaign({ name: 'Old' }), sentAgo(1000))] });
    expect(
      linesOf([aCampaign({ name: 'New', renamedFrom: 'Old', messages: OTHER })], [], { knowledge }),
    ).toEqual(['blocked']);
    expect(linesOf([aCampaign({ name: 'New' })], [], { knowledge })).toEqual(['blocked']);
  });

  it('does not hold back other resources, accounts and stops', () => {
    const knowledge = knowing({ open: [anOpenEntry(aCampaign(), sentAgo(1000))] });
    expect(
      linesOf([aCampaign({ account: 'bob' }), aCampaign({ name: 'Else', messages: OTHER })], [], {
        knowledge,
      }),
    ).toEqual(['create: create', 'create: create']);
    const ours = knowing({ campaigns: [{ id: '1' }], open: [anOpenEntry(aCampaign(), sentAgo(1000))] });
    expect(linesOf([aCampaign({ target: 'archived' })], [aLiveCampaign()], { knowledge: ours })).toEqual([
      'archive 1: archive 1',
    ]);
  });
});

describe('a switch-on without an answer', () => {
  const entry = anOpenStatus(aBroadcast(), { liveId: '1', target: 'queued', sentAtMs: NOON - 1000 });
  const knowledge = knowing({ broadcasts: [{ id: '1', pausedFor: 'declared' }], open: [entry] });

  it('holds back a new version next to it', () => {
    expect(
      linesOf([aBroadcast({ messages: OTHER })], [aLiveBroadcast({ status: 'paused' })], { knowledge }),
    ).toEqual(['blocked 1']);
  });

  it('may be repeated', () => {
    expect(linesOf([aBroadcast()], [aLiveBroadcast({ status: 'paused' })], { knowledge })).toEqual([
      'resume 1: resume 1, read_back 1',
    ]);
  });
});

describe('an unsend without an answer', () => {
  const unsend = anOpenUnsend(aBroadcast(), '1', NOON - 864e5);

  it('holds back switching it on again, however long ago and whatever is allowed', () => {
    const knowledge = knowing({
      broadcasts: [{ id: '1', pausedFor: 'declared' }],
      open: [unsend],
    });
    const parts = { knowledge, allow: new Set(['resume'] as const) };
    const plan = planOf([aBroadcast()], [aLiveBroadcast({ status: 'paused' })], parts);
    expect(plan.changes.map(lineOf)).toEqual(['blocked 1']);
    expect(plan.changes[0]?.reasons.join()).toMatch(/got no answer.*herald ledger close \S+ --because/);
  });

  it.each([
    [1_000, 'blocked 1'],
    [864e5, 'activate 1: activate 1, read_back 1'],
  ])(
    'of a campaign holds it back only while it may come: its status tells after that (%d ms)',
    (ageMs, line) => {
      const open = [anOpenUnsend(aCampaign(), '1', NOON - ageMs)];
      const knowledge = knowing({ campaigns: [{ id: '1', pausedFor: 'declared' }], open });
      expect(linesOf([aCampaign()], [aLiveCampaign({ status: 'paused' })], { knowledge })).toEqual([line]);
    },
  );

  it('holds back nothing else', () => {
    const open = [unsend];
    const knowledge = knowing({ broadcasts: [{ id: '2', pausedFor: 'declared' }], open });
    const other = aLiveBroadcast({ id: '2', status: 'paused' });
    expect(linesOf([aBroadcast()], [other], { knowledge })).toEqual(['resume 2: resume 2, read_back 2']);
  });
});

describe('objects that the ledger knows and the list does not show', () => {
  it('block every create when the list is empty: a wrong account or key', () => {
    const plan = planOf([aCampaign({ name: 'Else' })], [], {
      knowledge: knowing({ campaigns: [{ id: '1' }] }),
    });
    expect(plan.changes.map(lineOf)).toEqual(['blocked']);
    expect(plan.changes[0]?.reasons[0]).toContain('1 known campaign on this account');
  });

  it.each([
    ['the real service', false, 'https://api.example', undefined],
    [
      'the embedded simulator',
      true,
      'simulator:.herald/world.json?world=1a',
      'another file in service.simulator',
    ],
    ['a simulator on a port', true, 'http://127.0.0.1:4010', 'herald simulate --world FILE --port N'],
  ])('advises a new world only where there may be one: %s', (_name, simulator, origin, advice) => {
    const service = { origin, source: 'herald.yaml', simulator } as const;
    const plan = planOf([aCampaign()], [], {
      knowledge: knowing({ campaigns: [{ id: '9', name: 'Gone' }] }),
      service,
    });
    const reason = plan.changes[0]?.reasons[0] ?? '';
    expect(reason).toContain('Keep the ledger.');
    expect(reason.includes('new world')).toBe(simulator);
    expect(reason).toContain(advice ?? '');
  });

  it('block a create of their own name when the list lags behind', () => {
    const knowledge = knowing({ campaigns: [{ id: '1' }] });
    const elsewhere = aLiveCampaign({ id: '5', name: 'Else', messages: OTHER });
    expect(linesOf([aCampaign()], [elsewhere], { knowledge })).toEqual(['unmanaged 5', 'blocked']);
    expect(linesOf([aCampaign({ name: 'New' })], [elsewhere], { knowledge })).toEqual([
      'unmanaged 5',
      'create: create',
    ]);
  });

  it('block switching on and replacing next to them, and never a stop, which is not all there is to it', () => {
    const knowledge = knowing({ campaigns: [{ id: '1', pausedFor: 'replace' }, { id: '2' }] });
    expect(linesOf([aCampaign()], [aLiveCampaign({ status: 'paused' })], { knowledge })).toEqual([
      'blocked 1',
    ]);
    expect(linesOf([aCampaign()], [aLiveCampaign({ messages: OTHER })], { knowledge })).toEqual([
      'blocked 1',
    ]);
    const stop = planOf([aCampaign({ target: 'paused' })], [aLiveCampaign()], { knowledge });
    expect(stop.changes.map(lineOf)).toEqual(['blocked', 'pause 1: pause 1']);
    expect(stop.changes[0]?.reasons.join()).toMatch(/The ledger knows 2 under this name.*herald doctor/);
  });

  it.each(['paused', 'archived', 'recalled'] as const)('are never reported as %s', (target) => {
    const knowledge = knowing({ campaigns: [{ id: '2' }] });
    const elsewhere = aLiveCampaign({ id: '5', name: 'Else', messages: OTHER });
    for (const observed of [[], [elsewhere], [elsewhere, aLiveCampaign({ status: target })]]) {
      const { changes } = planOf([aCampaign({ target })], observed, { knowledge });
      const [change] = changes.filter(({ address }) => address.name === 'Welcome');
      expect(change?.action).toBe('blocked');
      expect(change?.reasons[0]).toMatch(/The ledger knows 2 under this name|1 known campaign/);
    }
    const stopped = knowing({ campaigns: [{ id: '2', pausedFor: 'declared' }] });
    expect(linesOf([aCampaign({ target })], [], { knowledge: stopped })).toEqual(['keep']);
  });

  it('are not reported as over when they are broadcasts to be recalled', () => {
    const knowledge = knowing({ broadcasts: [{ id: '2' }] });
    expect(linesOf([aBroadcast({ target: 'recalled' })], [], { knowledge })).toEqual(['blocked']);
    const recalled = knowing({ broadcasts: [{ id: '2', recalled: true }] });
    expect(linesOf([aBroadcast({ target: 'recalled' })], [], { knowledge: recalled })).toEqual(['keep']);
  });

  it('of another account or kind block nothing', () => {
    const knowledge = knowing({ campaigns: [{ id: '1', accountId: '102' }], broadcasts: [{ id: '2' }] });
    expect(linesOf([aCampaign()], [], { knowledge })).toEqual(['create: create']);
  });
});

describe('names that are not what they seem', () => {
  // CONTENT-2
  it('a nearly equal name is pointed out and not taken', () => {
    const plan = planOf([aCampaign()], [aLiveCampaign({ name: ' welcome ', messages: OTHER })]);
    expect(plan.changes.map(lineOf)).toEqual(['unmanaged 1', 'create: create']);
    expect(codesOf(plan)).toEqual(['near-match']);
  });

  // BROADCAST-24
  it('a nameless broadcast with our name as its text is a stranger: left alone, with a warning', () => {
    const stranger = aLiveBroadcast({ name: 'Teaser', messages: [{ text: 'Teaser' }] });
    const plan = planOf([aBroadcast()], [stranger]);
    expect(plan.changes.map(lineOf)).toEqual(['create: create', 'unmanaged 1']);
    expect(codesOf(plan)).toEqual(['text-as-name']);
  });

  it.each([
    ['scheduled', '2026-06-01T18:00:00Z', 'keep 1'],
    ['sending', null, 'blocked 1'],
  ])(
    'our own broadcast with its name as its text is found again with the ledger lost (%s)',
    (status, scheduled_at, expected) => {
      const live = aLiveBroadcast({ name: 'Teaser', messages: [{ text: 'Teaser' }], status, scheduled_at });
      expect(linesOf([aBroadcast({ messages: [{ text: 'Teaser' }] })], [live])).toEqual([expected]);
    },
  );

  it('a broadcast known to be ours is found by that name whatever its text', () => {
    const live = aLiveBroadcast({ name: 'Teaser', messages: [{ text: 'Teaser' }] });
    expect(linesOf([aBroadcast()], [live], { knowledge: knowing({ broadcasts: [{ id: '1' }] }) })).toEqual([
      'replace 1: pause 1, check_not_left 1, create, read_back',
    ]);
  });

  // BROADCAST-24
  it('unreadable unnamed broadcasts are counted', () => {
    const nameless = ['1', '2'].map((id) => aLiveBroadcast({ id, name: null, messages: [] }));
    const plan = planOf([], nameless);
    expect(plan.changes).toEqual([]);
    expect(plan.diagnostics.map(({ message }) => message)).toEqual([
      '2 unreadable unnamed broadcasts on account alice. Herald does not compare or change them.',
    ]);
  });
});

describe('too many changes', () => {
  const three = ['a', 'b', 'c'].map((name) => aCampaign({ name, messages: [{ text: name }] }));

  it('hold back the run unless large is allowed', () => {
    const policy = aPolicy({ max_changes: { limit: 2, level: 'deny' } });
    expect(codesOf(planOf(three, [], { policy }))).toEqual(['too-many-changes']);
    expect(codesOf(planOf(three, [], { policy, allow: new Set(['large']) }))).toEqual([]);
    expect(codesOf(planOf(three.slice(1), [], { policy }))).toEqual([]);
  });

  it('are only those that send something', () => {
    const observed = three.map(({ address, content }, index) =>
      aLiveCampaign({ id: String(index + 1), name: address.name, messages: served(content.messages) }),
    );
    expect(
      codesOf(planOf(three, observed, { policy: aPolicy({ max_changes: { limit: 0, level: 'deny' } }) })),
    ).toEqual([]);
  });
});

describe('a lost create of which something with another text may be the result', () => {
  const declared = aCampaign({ name: 'Renamed' });
  const wanted = { content: aCampaign().content, scheduledAtUtc: null };
  const lost = anOpenEntry(aCampaign(), { maybeMade: '1', sentAtMs: NOON - HOUR, wanted });
  const live = aLiveCampaign({ messages: OTHER });
  const withIt = { knowledge: knowing({ open: [lost] }) };

  it('keeps the same content from being created under another name, however long ago', () => {
    const [change] = planOf([declared], [live], withIt).changes.filter(({ action }) => action === 'blocked');
    expect(change?.address.name).toBe('Renamed');
    expect(change?.reasons.join(' ')).toContain('add renamed_from: "Welcome"');
    expect(change?.reasons.join(' ')).toContain('herald campaigns pause 1 --account alice');
  });

  it('keeps no other content from being created', () => {
    const other = aCampaign({ name: 'Another', messages: [{ text: 'Something else' }] });
    expect(linesOf([other], [live], withIt)).toContain('create: create');
  });

  it('keeps nothing back that stops it first', () => {
    expect(
      linesOf([aCampaign({ name: 'Renamed', renamedFrom: 'Welcome' })], [live], {
        ...withIt,
        allow: new Set(['adopt']),
      }),
    ).toEqual(['replace 1: pause 1, create, read_back']);
  });
});
