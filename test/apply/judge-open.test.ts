import { describe, expect, it } from 'vitest';
import { judgeOpen, verdictLines } from '../../src/apply/judge-open.ts';
import { reduceLedger } from '../../src/ledger/reduce.ts';
import type { IntentLine, LedgerLine } from '../../src/ledger/lines.ts';
import type { ContentMatch } from '../../src/domain/knowledge.ts';
import type { Observed } from '../../src/domain/resource.ts';
import { NOON } from '../helpers/scene.ts';
import { anIntent, anOutcomeLine } from '../helpers/ledger-builders.ts';

const SETTLE = 75_000;

function live(
  id: string,
  status: string,
  more: Partial<Extract<Observed, { kind: 'campaign' }>> = {},
): Observed {
  return {
    kind: 'campaign',
    account: 'alice',
    accountId: '101',
    live: { id, name: 'Welcome', status },
    ...more,
  };
}

/** The same name with other content. */
function stranger(id: string): Observed {
  const object = live(id, 'active');
  return { ...object, live: { ...object.live, trigger: 'other' } };
}

/** Who made Herald's own creates. */
const US = { type: 'api_token', id: '1' };

/** The same name with other texts. */
function reworded(id: string, creator: typeof US | null): Observed {
  const object = live(id, 'active');
  return { ...object, live: { ...object.live, trigger: 'reworded', created_by: creator } };
}

/** What the tests write into a trigger. */
function contentMatchOf(trigger: string | null | undefined): ContentMatch {
  return trigger === 'other' || trigger === 'reworded' ? trigger : 'equal';
}

/** `outcome id`, or `open`; `!` where the change is to be repeated. */
function verdictOn(intent: Partial<IntentLine>, observed: readonly Observed[], afterMs: number): string {
  const knowledge = reduceLedger([anIntent(intent)]);
  const [verdict] = judgeOpen({
    knowledge: { ...knowledge, creators: new Set([`${US.type}:${US.id}`]) },
    observed,
    readStartedMs: NOON + afterMs,
    settleMs: SETTLE,
    contentMatch: (_, object) => (object.kind === 'campaign' ? contentMatchOf(object.live.trigger) : null),
  });
  const { conclusion = null, repeat = false } = verdict ?? {};
  if (conclusion === null) return 'open';
  return `${conclusion.outcome} ${conclusion.live_id ?? '-'}${repeat ? '!' : ''}`;
}

const STATUS = { call: 'status', live_id: '7', target: 'paused', purpose: 'declared' } as const;
const UNSEND = { call: 'unsend', live_id: '7' } as const;

// ERROR-6
describe('an open entry', () => {
  it.each<[string, Partial<IntentLine>, readonly Observed[], number, string]>([
    ['create, the object is new, after the window', {}, [live('9', 'active')], SETTLE, 'adopted 9'],
    [
      'create, the object is new, inside the window: it may be another person’s',
      {},
      [live('9', 'active')],
      1,
      'open',
    ],
    [
      'create, the object is new, a moment before the window ends',
      {},
      [live('9', 'active')],
      SETTLE - 1,
      'open',
    ],
    ['create, a stranger has the name', {}, [stranger('9')], 1, 'open'],
    ['create, a stranger has the name, after the window', {}, [stranger('9')], SETTLE, 'absent -'],
    ['create, by us and with other texts, inside the window', {}, [reworded('9', US)], 1, 'open'],
    ['create, by us and with other texts, after it', {}, [reworded('9', US)], SETTLE, 'adopted 9'],
    [
      'create, by us and with other texts, next to an equal one: the equal one',
      {},
      [reworded('8', US), live('9', 'active')],
      SETTLE,
      'adopted 9',
    ],
    ['create, with other texts and no one knows by whom', {}, [reworded('9', null)], SETTLE, 'absent -'],
    [
      'create, by us and with other texts, but there before',
      { baseline: ['9'] },
      [reworded('9', US)],
      SETTLE,
      'absent -',
    ],
    [
      'create, two are new: the lowest id',
      {},
      [live('10', 'active'), live('9', 'paused')],
      SETTLE,
      'adopted 9',
    ],
    [
      'create, only what was there before, inside the window',
      { baseline: ['9'] },
      [live('9', 'active')],
      1,
      'open',
    ],
    [
      'create, only what was there before, after it',
      { baseline: ['9'] },
      [live('9', 'active')],
      SETTLE,
      'absent -',
    ],
    ['create, nothing a moment before the window ends', {}, [], SETTLE - 1, 'open'],
    [
      'create, another account has it',
      {},
      [live('9', 'active', { account: 'bob', accountId: '102' })],
      SETTLE,
      'absent -',
    ],
    ['status, shows', STATUS, [live('7', 'paused')], 1, 'done 7!'],
    ['status, shows another inside the window', STATUS, [live('7', 'active')], 1, 'open'],
    ['status, shows another after it', STATUS, [live('7', 'active')], SETTLE, 'refused 7'],
    [
      'status, a resume that shows is done and never repeated',
      { ...STATUS, target: 'queued' },
      [live('7', 'queued')],
      1,
      'done 7',
    ],
    [
      'status, a resume that does not show is decided again after the window',
      { ...STATUS, target: 'queued' },
      [live('7', 'paused')],
      SETTLE,
      'refused 7',
    ],
    ['unsend, in recall', UNSEND, [live('7', 'recalling')], 1, 'done 7'],
    ['unsend, still active: for a person', UNSEND, [live('7', 'active')], 10 * SETTLE, 'open'],
  ])('%s', (_title, intent, observed, afterMs, verdict) => {
    expect(verdictOn(intent, observed, afterMs)).toBe(verdict);
  });
});

describe('what turned up since a create', () => {
  const found = (observed: readonly Observed[], afterMs: number, lines: readonly LedgerLine[] = []) => {
    const knowledge = reduceLedger([anIntent({ baseline: ['1'] }), ...lines]);
    const input = { knowledge, observed, readStartedMs: NOON + afterMs, settleMs: SETTLE } as const;
    const verdicts = judgeOpen({ ...input, contentMatch: () => 'equal' });
    return {
      ids: verdicts.flatMap((verdict) => verdict.found.map((object) => object.live.id)),
      verdicts,
      knowledge,
    };
  };
  const two = [live('1', 'active'), live('10', 'active'), live('9', 'active')];

  // ERROR-7
  it.each([1, SETTLE])('is named, lowest id first, and nothing of before (%i ms)', (afterMs) => {
    expect(found(two, afterMs).ids).toEqual(['9', '10']);
  });

  it('counts as ours for the plan, and teaches nothing of who made it', () => {
    const theirs = two.map((object) => ({
      ...object,
      live: { ...object.live, created_by: { type: 'user', id: '7' } },
    })) as Observed[];
    const { verdicts } = found(theirs, SETTLE);
    const intent = anIntent({ baseline: ['1'] });
    const known = reduceLedger([intent, ...verdictLines({ at: intent.at }, verdicts)]);
    expect([...known.objects.values()].map(({ id, ours }) => `${id} ${String(ours)}`).toSorted()).toEqual([
      '10 true',
      '9 true',
    ]);
    expect(known.creators).toEqual(new Set());
  });
});

it('a create stays open, and is not waited for, while something of it may have other texts and Herald cannot find its own', () => {
  const judged = (creators: readonly string[]) =>
    judgeOpen({
      knowledge: { ...reduceLedger([anIntent({})]), creators: new Set(creators) },
      observed: [reworded('9', US)],
      readStartedMs: NOON + SETTLE,
      settleMs: SETTLE,
      contentMatch: () => 'reworded',
    });
  expect(judged([])).toMatchObject([{ conclusion: null, undecided: '9' }]);
  expect(judged([`${US.type}:${US.id}`])).toMatchObject([
    { conclusion: { outcome: 'adopted', live_id: '9' }, undecided: null },
  ]);
});

describe('what is new under the name of a create', () => {
  const judged = (
    observed: readonly Observed[],
    creators: readonly string[] = [],
    more: readonly LedgerLine[] = [],
  ) => {
    const [verdict] = judgeOpen({
      knowledge: { ...reduceLedger([anIntent({ baseline: ['1'] }), ...more]), creators: new Set(creators) },
      observed,
      readStartedMs: NOON + SETTLE,
      settleMs: SETTLE,
      contentMatch: (_, object) => (object.kind === 'campaign' ? contentMatchOf(object.live.trigger) : null),
    });
    return verdict;
  };

  it('is listed whatever it contains and however it was stopped, without what was there before', () => {
    const archived = { ...stranger('12'), live: { ...stranger('12').live, status: 'archived' } } as Observed;
    expect(judged([live('1', 'active'), stranger('9'), archived])).toMatchObject({
      conclusion: { outcome: 'absent' },
      newcomers: ['9', '12'],
    });
    expect(judged([live('1', 'active')])?.newcomers).toEqual([]);
  });

  it('is not the result of this create where the answer to another create names it', () => {
    const answered = [
      anIntent({ entry: 'r-2', sent_at_ms: NOON + SETTLE }),
      anOutcomeLine({ entry: 'r-2', live_id: '9' }),
    ];
    const copies = [reworded('8', US), live('9', 'active')];
    expect(judged(copies, [`${US.type}:${US.id}`], answered)?.conclusion).toMatchObject({
      outcome: 'adopted',
      live_id: '8',
    });
    expect(judged([live('9', 'active')], [], answered)?.conclusion).toMatchObject({ outcome: 'absent' });
  });

  it('is not said to be nothing: the words name it', () => {
    expect(judged([stranger('9')])?.words).toBe(
      'may have created a new object with its name and other content: 9',
    );
    expect(judged([])?.words).toBe('did not succeed');
  });

  it('is adopted where it shows another text and is archived, so that no run starts it again unasked', () => {
    const object = reworded('9', null);
    const archived = { ...object, live: { ...object.live, status: 'archived' } } as Observed;
    expect(judged([archived])).toMatchObject({
      conclusion: { outcome: 'adopted', live_id: '9' },
      undecided: null,
    });
    const paused = { ...object, live: { ...object.live, status: 'paused' } } as Observed;
    expect(judged([paused]), 'a pause is a person’s answer').toMatchObject({
      conclusion: { outcome: 'absent' },
    });
  });
});
