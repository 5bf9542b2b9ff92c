import { describe, expect, it } from 'vitest';
import type { Observed } from '../../src/domain/resource.ts';
import { digestDifference } from '../../src/plan/decide/decision.ts';
import { aPolicy } from '../helpers/policy-builders.ts';
import { aBroadcast, aCampaign, aLiveBroadcast, aLiveCampaign } from '../helpers/resource-builders.ts';
import {
  anOpenRequest,
  aRow,
  codesOf,
  createdFrom,
  DAY,
  linesOf,
  planOf,
  reasonsOf,
  stoppedRow,
} from './facts-of.ts';
import type { Allowance } from '../../src/domain/change-kinds.ts';
import { describeAsked } from '../../src/plan/compare/content.ts';
import { NOON } from '../helpers/flow-clock.ts';

const allowing = (...names: readonly Allowance[]) => ({ allow: new Set(names) });
const other = [{ step: 0, text: 'Another text', price_gross: 0 }];

describe('an open request', () => {
  it('of the same content under another name holds back a create', () => {
    const open = [anOpenRequest(aCampaign({ name: 'Old name' }))];
    expect(linesOf([aCampaign()], [], { open })).toEqual(['blocked']);
    expect(reasonsOf([aCampaign()], [], { open })).toContain('An earlier create of "Old name" got no answer');
  });

  it('of the same text at another hour holds back a create, too', () => {
    const earlier = aBroadcast({ name: 'Old name', scheduledAtUtc: '2026-06-01T17:00:00Z' });
    const asked = JSON.stringify(describeAsked(earlier, { baseline: [], replaces: [] }));
    expect(linesOf([aBroadcast()], [], { open: [anOpenRequest(earlier, { asked })] })).toEqual(['blocked']);
  });

  it('of another content and name holds back nothing', () => {
    const open = [anOpenRequest(aCampaign({ name: 'Old name', messages: [{ text: 'Hi' }] }))];
    expect(linesOf([aCampaign()], [], { open })).toEqual(['create: create, read_back']);
  });

  const asked = JSON.stringify(describeAsked(aCampaign(), { baseline: ['1'], replaces: [] }));
  const lostCreate = { open: [anOpenRequest(aCampaign(), { asked })] };

  it('that may have made an object names it, and how to close the request', () => {
    const made = aLiveCampaign({ id: '9007199254740993123', messages: other });
    const reasons = reasonsOf([aCampaign()], [made], lostCreate);
    // Also once a person has paused it, which puts it on record.
    const known = { objects: [aRow(made, { ours: 0 })] };
    expect(reasonsOf([aCampaign()], [made], { ...lostCreate, known })).toBe(reasons);
    expect(reasons).toContain('may have created 9007199254740993123 ("Welcome")');
    expect(reasons).toContain("herald state close run1-50 --because '…'");
  });

  it('that may have made an equal object names the command that takes it over', () => {
    const reasons = reasonsOf([aCampaign()], [aLiveCampaign({ id: '2' })], lostCreate);
    expect(reasons).toContain(
      'may have created 2 ("Welcome"), which has its content. Run herald apply --target alice/campaign/Welcome: it takes it over',
    );
    expect(reasons).not.toContain('pause');
  });

  it('that starts an object does not hold back its stop', () => {
    const paused = aLiveCampaign({ status: 'paused' });
    const open = [anOpenRequest(aCampaign(), { live_id: '1', target: 'active' })];
    const parts = { open, known: { objects: [stoppedRow(paused)] } };
    expect(linesOf([aCampaign({ target: 'paused' })], [paused], parts)).toEqual([
      'blocked 1',
      'pause 1: pause 1',
    ]);
  });

  it('keeps an object from a prune only until it is answered', () => {
    const live = aLiveCampaign({ name: 'Gone' });
    const pruned = (parts: object) =>
      linesOf([aCampaign()], [live], {
        allow: new Set(['prune', 'large'] as const),
        known: { objects: [aRow(live)] },
        open: [anOpenRequest(aCampaign({ name: 'Gone' }), { live_id: '1', target: 'active', ...parts })],
      });
    expect([pruned({}), pruned({ outcome: 'done' })]).toEqual([
      expect.arrayContaining(['unmanaged 1']),
      expect.arrayContaining(['archive 1: archive 1']),
    ]);
  });

  it('of a recall of a broadcast asks for a person', () => {
    const paused = aLiveBroadcast({ status: 'paused' });
    const open = [anOpenRequest(aBroadcast(), { live_id: '1' })];
    const parts = { open, known: { objects: [stoppedRow(paused)] } };
    expect(reasonsOf([aBroadcast()], [paused], parts)).toContain(
      'A recall of 1, sent at 2026-06-01T11:59:50.000Z, got no answer',
    );
  });
});

describe('an object on record that the list does not show', () => {
  const hidden = aLiveCampaign({ id: '9', status: 'active' });
  const shown = aLiveCampaign({ id: '2', name: 'Other', messages: other });
  const known = { objects: [aRow(hidden, createdFrom(aCampaign())), aRow(shown)] };

  it('holds back a create of its name, and says how to forget it', () => {
    expect(linesOf([aCampaign()], [shown], { known })).toContain('blocked');
    expect(reasonsOf([aCampaign()], [shown], { known })).toContain("herald state forget 9 --because '…'");
  });

  it('holds back a create of its content under another name', () => {
    expect(reasonsOf([aCampaign({ name: 'New name' })], [shown], { known })).toContain(
      'The state knows 9 ("Welcome") with this name or content',
    );
  });

  it('is not called paused', () => {
    expect(linesOf([aCampaign({ target: 'paused' })], [shown], { known })).toContain('blocked');
    const both = [aLiveCampaign({ id: '1' }), shown];
    const all = { objects: [...known.objects, aRow(aLiveCampaign())] };
    expect(linesOf([aCampaign({ target: 'paused' })], both, { known: all })).toEqual(
      expect.arrayContaining(['pause 1: pause 1', 'blocked']),
    );
  });

  it('in an empty list holds back everything that starts', () => {
    expect(reasonsOf([aCampaign({ name: 'New' })], [], { known })).toContain(
      'The service lists nothing, but the state knows 2 campaigns',
    );
  });
});

describe('the same content under another name', () => {
  it('holds back a create that looks like a rename', () => {
    const live = aLiveCampaign({ name: 'Old name' });
    const plan = planOf([aCampaign()], [live], { known: { objects: [aRow(live)] } });
    expect(plan.changes.map(({ action }) => action)).toEqual(['unmanaged', 'blocked']);
    expect(plan.changes[1]?.reasons.join()).toContain('If you renamed it, add renamed_from: "Old name".');
  });

  it('also at another hour', () => {
    const live = aLiveBroadcast({ name: 'Old name', scheduled_at: '2026-06-01T17:00:00Z' });
    expect(linesOf([aBroadcast()], [live], { known: { objects: [aRow(live)] } })).toContain('blocked');
  });

  it('holds back a create also where what was created from it cannot be read', () => {
    const live = aLiveCampaign({ name: 'Old name', messages: [] });
    const known = { objects: [aRow(live, createdFrom(aCampaign()))] };
    expect(linesOf([aCampaign()], [live], { known })).toContain('blocked');
  });

  const since = (from_at: string) => [{ kind: 'subscribed', mode: 'include' as const, options: { from_at } }];
  const ofMay = aCampaign({ audience_filters: since('2026-05-01') });
  it.each([
    ['at another price', { messages: [{ text: 'Hey', price_gross: 5 }] }, aCampaign(), {}],
    // Of the audience, a digest has the kinds only.
    ['for other fans', { audience_filters: since('2026-01-01') }, ofMay, createdFrom(ofMay)],
  ])('is not the same %s', (_, shown, declared, made) => {
    const live = aLiveCampaign({ name: 'Old name', ...shown });
    const known = { objects: [aRow(live, made)] };
    expect(linesOf([declared], [live], { known })).toContain('create: create, read_back');
  });

  it('that a file ignores is in no file: what would send it is not started next to it', () => {
    const lives = [
      aLiveCampaign({ id: '1', status: 'paused', messages: other }),
      aLiveCampaign({ id: '2', name: 'Second', messages: other }),
    ];
    const files = [
      aCampaign({ ignore: ['messages[0].text'] }),
      aCampaign({ name: 'Second', messages: [{ text: 'Another text' }] }),
    ];
    const parts = { known: { objects: lives.map((one) => stoppedRow(one)) } };
    expect(linesOf(files, lives, parts)).toEqual(['keep 2', 'blocked 1']);
  });

  it('is wanted if both files declare it', () => {
    const live = aLiveCampaign({ name: 'Second' });
    const parts = { known: { objects: [aRow(live)] } };
    expect(linesOf([aCampaign(), aCampaign({ name: 'Second' })], [live], parts)).toEqual([
      'keep 1',
      'create: create, read_back',
    ]);
  });

  it('that moves to another file takes two applies', () => {
    const live = aLiveCampaign({ name: 'Second' });
    const files = [aCampaign(), aCampaign({ name: 'Second', messages: [{ text: 'New text' }] })];
    const parts = { known: { objects: [aRow(live)] } };
    expect(linesOf(files, [live], parts)).toEqual(['replace 1: pause 1, create, read_back', 'blocked']);
    expect(reasonsOf(files, [live], parts)).toContain(
      'Apply that first: herald apply --target alice/campaign/Second. Then: herald apply --target alice/campaign/Welcome.',
    );
  });

  it('exchanged between two files names the command that pauses one', () => {
    const lives = [aLiveCampaign({ id: '1', messages: other }), aLiveCampaign({ id: '2', name: 'Second' })];
    const files = [aCampaign(), aCampaign({ name: 'Second', messages: [{ text: 'Another text' }] })];
    const parts = { known: { objects: lives.map((one) => aRow(one)) } };
    expect(linesOf(files, lives, parts)).toEqual(['blocked 2', 'blocked 1']);
    expect(reasonsOf(files, lives, parts)).toContain(
      'to stop it at once: herald campaigns pause 2 --account alice. After that: herald apply --allow resume',
    );
  });
});

describe('other guards', () => {
  it('protect what the file protects, and what it protected before', () => {
    const live = aLiveCampaign({ messages: other });
    const known = { objects: [aRow(live)] };
    expect(linesOf([aCampaign({ protect: true })], [live], { known })).toEqual(['blocked 1']);
    const before = { objects: [aRow(live, { protect: 1 })] };
    expect(linesOf([aCampaign()], [live], { known: before })).toEqual(['blocked 1']);
  });

  it('stop a duplicate of what is protected', () => {
    const lives = [aLiveCampaign({ id: '1' }), aLiveCampaign({ id: '2' })];
    const parts = { known: { objects: lives.map((one) => aRow(one)) } };
    expect(linesOf([aCampaign({ protect: true })], lives, parts)).toEqual(['keep 1', 'retire 2: archive 2']);
  });

  // CONTENT-23
  it('replace nothing twice for the same difference', () => {
    const live = aLiveCampaign({ id: '2', messages: other });
    const difference = [{ path: 'messages[0].text', old: 'Another text', new: 'Hey' }];
    const old = aLiveCampaign({ id: '1', status: 'archived', messages: other });
    const rows = [
      stoppedRow(old, { status_set: 'paused', replaced_by: '2', replaced_for: digestDifference(difference) }),
      aRow(live),
    ];
    const parts = { known: { objects: rows } };
    expect(linesOf([aCampaign()], [old, live], parts)).toEqual(['blocked 2 needs replace']);
    expect(reasonsOf([aCampaign()], [old, live], parts)).toContain('herald import --update');
    expect(linesOf([aCampaign()], [old, live], { ...parts, ...allowing('replace') })).toEqual([
      'replace 2: pause 2, create, read_back',
    ]);
  });

  it('count changes of the files: one campaign on two accounts is one', () => {
    const policy = aPolicy({ max_changes: { limit: 1, level: 'deny' } });
    expect(codesOf([aCampaign(), aCampaign({ account: 'bob' })], [], { policy })).toEqual([]);
    // As with a variable of each account.
    const filled = [
      aCampaign({ messages: [{ text: 'Hi Alice' }] }),
      aCampaign({ account: 'bob', messages: [{ text: 'Hi Bob' }] }),
    ];
    expect(codesOf(filled, [], { policy })).toEqual([]);
    const live = [aLiveCampaign({ id: '1' }), aLiveCampaign({ id: '2', account: 'bob' })];
    expect(codesOf(filled, live, { policy, ...allowing('adopt') })).not.toContain('too-many-changes');
    expect(
      codesOf([aCampaign(), aCampaign({ name: 'Second', messages: [{ text: 'Hi' }] })], [], { policy }),
    ).toEqual(['too-many-changes']);
  });
});

describe('ownership', () => {
  const stranger = { created_by: { type: 'user', id: '5' } };
  const key = { created_by: { type: 'key', id: '1' } };

  // CONTENT-5
  it('is not needed for a new copy by our own key, and needed for one of a person', () => {
    const own = aLiveCampaign({ id: '1', ...key, created_at: '2026-06-01T10:00:00Z' });
    const known = { objects: [aRow(own, createdFrom(aCampaign()))] };
    const copy = (parts: object) => aLiveCampaign({ id: '2', created_at: '2026-06-01T10:01:00Z', ...parts });
    expect(linesOf([aCampaign()], [own, copy(key)], { known })).toEqual(['keep 1', 'retire 2: archive 2']);
    expect(linesOf([aCampaign()], [own, copy(stranger)], { known })).toEqual([
      'keep 1',
      'blocked 2 needs adopt',
    ]);
    expect(reasonsOf([aCampaign()], [own, copy(stranger)], { known })).toContain(
      'With --allow adopt, Herald would archive it.',
    );
    const older = copy({ ...key, created_at: '2026-05-01T10:00:00Z' });
    expect(linesOf([aCampaign()], [own, older], { known })).toEqual(['keep 1', 'blocked 2 needs adopt']);
  });

  // CONTENT-6
  it('prunes only what is on record as ours, or has the prefix and our key', () => {
    const own = aLiveCampaign({ id: '1', name: 'old', ...key });
    const foreign = aLiveCampaign({ id: '2', name: 'theirs' });
    const prefixed = aLiveCampaign({ id: '3', name: 'hx lost', ...key });
    const facts = { known: { objects: [aRow(own, createdFrom(aCampaign()))] }, ownershipPrefix: 'hx ' };
    const declared = [aCampaign({ name: 'New', messages: [{ text: 'x' }] })];
    const parts = { ...facts, ...allowing('prune', 'large') };
    const rows = ['create: create, read_back', 'archive 3: archive 3', 'archive 1: archive 1', 'unmanaged 2'];
    expect(linesOf(declared, [own, foreign, prefixed], parts)).toEqual(rows);
    const [refusal] = planOf([], [own], parts).diagnostics;
    expect(refusal).toMatchObject({ severity: 'error', code: 'prune-everything' });
    expect(refusal?.message).toContain('would stop all owned objects (1)');
  });
});

describe('stops of people', () => {
  it('are what a command by hand set, and everything in a cut state', () => {
    const live = aLiveCampaign({ status: 'paused' });
    const byHand = { objects: [stoppedRow(live, { status_by: 'hand' })] };
    const cut = { objects: [stoppedRow(live)], isCut: true };
    for (const known of [byHand, cut])
      expect(linesOf([aCampaign()], [live], { known })).toEqual(['blocked 1 needs resume']);
  });

  it('are not what the service archived seven days after a pause by Herald, by both clocks', () => {
    const live = aLiveCampaign({ status: 'archived' });
    const known = { objects: [stoppedRow(live, { status_set: 'paused' })] };
    const pausedBefore = (ms: number) => ({
      known,
      past: { statusTimes: new Map([[known.objects[0]?.status_seq ?? 0, NOON - ms]]), refused: [] },
    });
    expect(linesOf([aCampaign()], [live], pausedBefore(7 * DAY))).toEqual(['create: create, read_back']);
    expect(linesOf([aCampaign()], [live], pausedBefore(6 * DAY))).toEqual(['blocked 1 needs resume']);
    const apart = { ...pausedBefore(7 * DAY), time: { earliestMs: NOON - DAY, latestMs: NOON } };
    expect(linesOf([aCampaign()], [live], apart)).toEqual(['blocked 1 needs resume']);
  });

  it('are not hidden by a duplicate that Herald archived', () => {
    const keeper = aLiveCampaign({ id: '1', status: 'paused' });
    const copy = aLiveCampaign({ id: '2', status: 'archived' });
    const known = { objects: [aRow(keeper), stoppedRow(copy, { status_why: 'duplicate' })] };
    expect(linesOf([aCampaign()], [keeper, copy], { known })).toEqual(['blocked 1 needs resume']);
  });
});

it('a broadcast that a person stopped is not created again by a replace of what waits instead', () => {
  const stopped = aLiveBroadcast({ id: '1', status: 'paused' });
  const waits = aLiveBroadcast({ id: '2', messages: other });
  const known = { objects: [aRow(stopped), aRow(waits)] };
  expect(linesOf([aBroadcast()], [stopped, waits], { known })).toEqual(['blocked 1 needs resume']);
});

describe('an end that has passed', () => {
  it('in the file starts nothing and warns', () => {
    const declared = aCampaign({ rules: { end_at: '2026-06-01T11:00:00Z' } });
    expect(linesOf([declared], [])).toEqual(['missed']);
    expect(codesOf([declared], [])).toContain('missed');
  });

  it('of the live one replaces and activates nothing', () => {
    const ended = { rules: { end_at: '2026-06-01T11:00:00Z' } };
    const active = aLiveCampaign({ messages: other, ...ended });
    const paused = aLiveCampaign({ status: 'paused', ...ended });
    expect(linesOf([aCampaign()], [active], { known: { objects: [aRow(active)] } })).toEqual(['blocked 1']);
    const known = { objects: [stoppedRow(paused)] };
    expect(linesOf([aCampaign()], [paused], { known })).toEqual(['blocked 1']);
  });
});

function refusedFor({ accountId, kind, live }: Observed, target: string | null) {
  return { account_id: accountId, kind, live_id: live.id, target, answer: null };
}

describe('notes of a plan', () => {
  it('name a recall that the service refused for good', () => {
    const live = aLiveCampaign({ status: 'paused' });
    const parts = {
      known: { objects: [stoppedRow(live)] },
      past: { statusTimes: new Map(), refused: [refusedFor(live, null)] },
    };
    expect(linesOf([aCampaign({ target: 'recalled' })], [live], parts)).toEqual(['done 1']);
    expect(codesOf([aCampaign({ target: 'recalled' })], [live], parts)).toEqual(['recall-refused']);
  });

  // BROADCAST-17, LIMIT-7: after five days, the service decides.
  it('tell a resume that the service refused from one that is due', () => {
    const live = aLiveBroadcast({ status: 'paused' });
    const parts = {
      known: { objects: [stoppedRow(live)] },
      past: { statusTimes: new Map(), refused: [refusedFor(live, 'queued')] },
    };
    expect(linesOf([aBroadcast()], [live], parts)).toEqual(['blocked 1']);
    expect(reasonsOf([aBroadcast()], [live], parts)).toContain('give it a new name');
    const due = { ...parts, past: { ...parts.past, refused: [refusedFor(live, null)] } };
    expect(linesOf([aBroadcast()], [live], due)).toEqual(['resume 1: resume 1, read_back 1']);
  });
});

it('what is sent at once is not sent next to the same content under another name', () => {
  const declared = { ...aBroadcast({ name: 'Now' }), atOnce: true } as const;
  const live = aLiveBroadcast({ id: '5', name: 'Other' });
  const parts = { known: { objects: [aRow(live)] }, ...allowing('now') };
  expect(linesOf([declared], [live], parts)[0]).toMatch(/^blocked/);
  expect(reasonsOf([declared], [live], parts)).toContain('Or change the words of this one.');
});

it('what is protected and removed from the files is named, because a prune leaves it', () => {
  const live = aLiveCampaign({ id: '7', name: 'Old' });
  const all = [live, aLiveCampaign({ id: '8', name: 'Other' })];
  const parts = { known: { objects: [aRow(live, { protect: 1 })] }, ...allowing('prune') };
  expect(linesOf([], all, parts)).toEqual(['unmanaged 7', 'unmanaged 8']);
  const warning = { code: 'protected-unmanaged', address: 'alice/campaign/Old' };
  expect(planOf([], all, parts).diagnostics).toMatchObject([warning]);
});

it('a list that was not seen is named, although nothing is declared on it', () => {
  const parts = { unseen: new Map([['bob/campaign', 'The list cannot be read.']]) };
  const [note] = planOf([aCampaign()], [], parts).diagnostics;
  expect(note).toMatchObject({ code: 'account-not-seen' });
  expect(note?.message).toContain('herald plan --exclude bob/campaign');
});
