import { describe, expect, it } from 'vitest';
import type { BroadcastSeed, CampaignSeed } from '../../src/simulator/seed-shape.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied, liveOn, messages, outcomes } from '../helpers/flows.ts';
import { madeOnce } from '../helpers/made-once.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

/** What the files declare at first, what they declare then, and what else the run needs. */
interface Action {
  readonly first: readonly object[];
  readonly now: readonly object[];
  readonly flags?: readonly string[];
  /** The object is not the one that was made by Herald, but an equal one of this id. */
  readonly copy?: string;
}

const ACTIONS = {
  pause: { first: [{}], now: [{ status: 'paused' }] },
  archive: { first: [{}], now: [{ status: 'archived' }] },
  recall: { first: [{}], now: [{ status: 'recalled' }], flags: ['--allow', 'recall'] },
  replace: { first: [{}], now: [{ messages: [{ text: 'Another' }] }] },
  prune: {
    first: [{}, { name: 'Other' }],
    now: [{ name: 'Other' }],
    flags: ['--allow', 'prune', '--allow', 'large'],
  },
  retire: { first: [{}], now: [{}], copy: '1999999999999999999', flags: ['--allow', 'adopt'] },
  activate: { first: [{}, { status: 'paused' }], now: [{}] },
  resume: { first: [{}, { status: 'paused' }], now: [{}] },
  reactivate: { first: [{}, { status: 'archived' }], now: [{}] },
} as const satisfies Record<string, Action>;
type ActionName = keyof typeof ACTIONS;

const SOON = '2026-06-01T15:00:00Z';

/** What a person, or time, makes of a campaign after the plan. */
const CAMPAIGN_STATES: Readonly<Record<string, CampaignSeed>> = {
  unmoved: {},
  active: { status: 'active' },
  paused: { status: 'paused' },
  archived: { status: 'archived' },
  recalling: { status: 'recalling' },
  recalled: { status: 'recalled' },
  unsent: { status: 'unsent' },
  unnamed: { status: 'brand-new-word' },
  edited: { messages: [{ text: 'Edited by a person' }] },
};

const BROADCAST_STATES: Readonly<Record<string, BroadcastSeed>> = {
  unmoved: {},
  scheduled: { status: 'scheduled', scheduled_at: SOON },
  paused: { status: 'paused', scheduled_at: SOON },
  'paused half-way': { status: 'paused', scheduled_at: null },
  queued: { status: 'queued', scheduled_at: null },
  sending: { status: 'sending', scheduled_at: null, targeted_recipients_count: 5 },
  gone: { status: null, scheduled_at: null },
  unsent: { status: 'unsent' },
  archived: { status: 'archived' },
  edited: { messages: [{ text: 'Edited by a person' }] },
  'another hour': { scheduled_at: '2026-06-01T18:00:00Z' },
};

/** `|` tables: a row for each action, a column for each state; `sent`, `held`, or `-` where it is the state of before. */
function cells(table: string): readonly { action: ActionName; state: string; expected: string }[] {
  const [head = [], ...rows] = table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  return rows.flatMap(([action, ...row]) =>
    row
      .map((expected, place) => ({
        action: action as ActionName,
        state: head[place + 1] ?? '',
        expected,
      }))
      .filter(({ expected }) => expected !== '-'),
  );
}

const CAMPAIGNS = cells(`
           | unmoved | active | paused | archived | recalling | recalled | unsent | unnamed | edited
pause      | sent    | -      | held   | held     | held      | held     | held   | held    | sent
archive    | sent    | -      | held   | held     | held      | held     | held   | held    | sent
recall     | sent    | -      | sent   | held     | held      | held     | held   | held    | sent
replace    | sent    | -      | held   | held     | held      | held     | held   | held    | held
prune      | sent    | -      | held   | held     | held      | held     | held   | held    | held
retire     | sent    | -      | held   | held     | held      | held     | held   | held    | held
activate   | sent    | held   | -      | held     | held      | held     | held   | held    | held
reactivate | sent    | held   | held   | -        | held      | held     | held   | held    | held
`);

const BROADCASTS = cells(`
        | unmoved | scheduled | paused | paused half-way | queued | sending | gone | unsent | archived | edited | another hour
pause   | sent    | -         | held   | held            | held   | held    | held | held   | held     | sent   | sent
retire  | sent    | -         | held   | held            | sent   | sent    | held | held   | held     | sent   | sent
replace | sent    | -         | held   | held            | held   | held    | held | held   | held     | held   | held
prune   | sent    | -         | held   | held            | held   | held    | held | held   | held     | held   | held
resume  | sent    | held      | -      | held            | held   | held    | held | held   | held     | held   | held
recall  | sent    | -         | sent   | sent            | sent   | sent    | sent | held   | held     | sent   | sent
`);

const begun = madeOnce(async (kind: 'campaign' | 'broadcast', { first, now, copy }: Action) => {
  const declare = (parts: readonly object[]) =>
    kind === 'campaign'
      ? declaring({ campaigns: parts.map((part) => campaign({ ...part })) })
      : declaring({ broadcasts: parts.map((part) => broadcast({ ...part })) });
  const scene = aScene();
  const isSecond = first.some((part) => 'status' in part);
  for (const parts of isSecond ? first.map((part) => [part]) : [first]) {
    Object.assign(scene.files.tree, declare(parts));
    expect((await applied(scene)).code).toBe(0);
  }
  const set =
    kind === 'campaign'
      ? { name: 'Welcome', messages: [{ text: 'Hey' }] }
      : { name: 'Teaser', messages: [{ text: 'Tomorrow' }], scheduled_at: SOON };
  if (copy !== undefined)
    await scene.service((control) =>
      kind === 'campaign'
        ? control.seedCampaign('101', { id: copy, ...set })
        : control.seedBroadcast('101', { id: copy, ...set }),
    );
  Object.assign(scene.files.tree, declare(now));
  scene.clock.move(60_000);
  return scene;
});

/** A scene right before the run in question, with the id of the object that it is to change. */
async function before(kind: 'campaign' | 'broadcast', action: Action): Promise<{ scene: Scene; id: string }> {
  const scene = await begun(kind, action);
  const made = (await liveOn(scene, '101', kind)).find(({ name }) => name !== 'Other');
  return { scene, id: action.copy ?? made?.id ?? '' };
}

/** How often something was asked of the object, by everything that is not a read. */
async function askedOf(scene: Scene, id: string): Promise<number> {
  const { requests } = await scene.oracle();
  return requests.filter(({ method, path }) => method !== 'GET' && path.includes(`/${id}/`)).length;
}

const flagsOf = (action: Action) => action.flags ?? [];

async function movedBefore(kind: 'campaign' | 'broadcast', name: ActionName, set: object) {
  const action: Action = ACTIONS[name];
  const { scene, id } = await before(kind, action);
  const edit = { account_id: '101', kind, id, set } as const;
  if (Object.keys(set).length > 0)
    await scene.fault({ kind: 'change_before', operation: `${kind}s.get`, nth: 1, edit: edit as never });
  const asked = await askedOf(scene, id);
  const run = await applied(scene, ...flagsOf(action));
  const live = await liveOn(scene, '101', kind);
  return {
    run,
    id,
    isSent: (await askedOf(scene, id)) > asked,
    count: live.length,
  };
}

describe('a campaign that was moved after the plan', () => {
  it.each(CAMPAIGNS)('$action, it is $state: $expected', async ({ action, state, expected }) => {
    const set = CAMPAIGN_STATES[state] ?? {};
    const { run, isSent } = await movedBefore('campaign', action, set);
    expect(isSent ? 'sent' : 'held', messages(run)).toBe(expected);
    if (expected === 'held') {
      expect(run.code).toBe(1);
      expect(outcomes(run).some((outcome) => outcome.endsWith(' failed'))).toBe(true);
      expect(messages(run)).toMatch(/when the plan was made and is|was edited after the plan was made/);
    } else expect(run.code, messages(run)).toBe(0);
  });
});

describe('a broadcast that was moved after the plan', () => {
  it.each(BROADCASTS)('$action, it is $state: $expected', async ({ action, state, expected }) => {
    const { run, isSent, count } = await movedBefore('broadcast', action, BROADCAST_STATES[state] ?? {});
    expect(isSent ? 'sent' : 'held', messages(run)).toBe(expected);
    if (expected === 'held') {
      expect(run.code, messages(run)).toBe(1);
      // Nothing is created in the place of what was left alone.
      expect(count).toBe(action === 'retire' || action === 'prune' ? 2 : 1);
    } else expect(run.code, messages(run)).toBe(0);
  });
});

describe('a broadcast that begins to go out right before its pause arrives', () => {
  const going = { status: 'sending', scheduled_at: null, targeted_recipients_count: 5 } as const;

  it.each(['pause', 'retire', 'prune'] as const)(
    '(%s) is stopped, and the report tells how far it was',
    async (name) => {
      const action: Action = ACTIONS[name];
      const { scene, id } = await before('broadcast', action);
      const edit = { account_id: '101', kind: 'broadcast', id, set: going } as const;
      await scene.fault({ kind: 'change_before', operation: 'broadcasts.set-status', nth: 1, edit });
      const run = await applied(scene, ...flagsOf(action));
      expect(run.code).toBe(0);
      expect(messages(run)).toMatch(/had begun to go out before it was paused \(\d+ % of 5 fans\)/);
    },
  );

  it('before the look: it is let go on, with the command that stops it', async () => {
    const { run, id } = await movedBefore('broadcast', 'pause', going);
    expect(messages(run)).toContain(
      `${id} had begun to go out (20 % of 5 fans), so it was not stopped half-way. To stop it now, run "herald broadcasts pause ${id} --account alice".`,
    );
  });
});

describe('what is about to be switched on', () => {
  it.each([
    ['campaign', 'activate', 'campaigns.create', { name: 'Welcome', messages: [{ text: 'Hey' }] }],
    ['broadcast', 'resume', 'broadcasts.create', { name: 'Teaser', scheduled_at: SOON }],
  ] as const)(
    '(%s) stays off where a person has made another one of its name',
    async (kind, name, at, set) => {
      const { scene } = await before(kind, ACTIONS[name]);
      const both =
        kind === 'campaign'
          ? { campaigns: [campaign(), campaign({ name: 'New' })] }
          : { broadcasts: [broadcast(), broadcast({ name: 'New' })] };
      Object.assign(scene.files.tree, declaring(both));
      const seed = { account_id: '101', kind, set } as never;
      await scene.fault({ kind: 'change_before', operation: at, nth: 1, seed });
      const run = await applied(scene);
      expect([run.code, outcomes(run).toSorted()]).toEqual([
        4,
        [`${name} failed`, 'create applied'].toSorted(),
      ]);
      expect(messages(run)).toContain('appeared with this name since the plan was made');
    },
  );
});

describe('many changes', () => {
  const MANY = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'];
  const campaigns = (set: object) => declaring({ campaigns: MANY.map((name) => campaign({ name, ...set })) });
  const broadcasts = (set: object) =>
    declaring({ broadcasts: MANY.map((name) => broadcast({ name, ...set })) });

  async function declared(...versions: readonly Record<string, string>[]): Promise<Scene> {
    const scene = aScene();
    const last = versions.at(-1);
    for (const files of versions) {
      Object.assign(scene.files.tree, files);
      if (files !== last) await applied(scene, '--allow', 'large');
    }
    scene.clock.move(60_000);
    return scene;
  }

  async function readsOf(scene: Scene, operation: string): Promise<number> {
    return (await scene.oracle()).requests.filter((request) => request.operation === operation).length;
  }

  it('are read back from one list, so that only the looks take reads by id', async () => {
    const scene = await declared(broadcasts({}), broadcasts({ status: 'paused' }));
    const before = await readsOf(scene, 'broadcasts.get');
    const run = await applied(scene, '--allow', 'large');
    expect(outcomes(run)).toEqual(MANY.map(() => 'pause applied'));
    expect((await readsOf(scene, 'broadcasts.get')) - before).toBe(MANY.length);
  });

  it('and one that had begun to go out is shown among them', async () => {
    const scene = await declared(broadcasts({}), broadcasts({ status: 'paused' }));
    const set = { status: 'sending', scheduled_at: null, targeted_recipients_count: 5 } as const;
    const edit = { account_id: '101', kind: 'broadcast', name: 'Two', set } as const;
    await scene.fault({ kind: 'change_before', operation: 'broadcasts.set-status', nth: 6, edit });
    const run = await applied(scene, '--allow', 'large');
    const told = run.report.outcomes.filter(({ message }) => message.includes('had begun to go out'));
    expect(told.map(({ address, outcome }) => `${address.name} ${outcome}`)).toEqual(['Two applied']);
  });

  // CAMPAIGN-6
  it('fail where the list and the object itself show another state', async () => {
    const scene = await declared(campaigns({}), campaigns({ status: 'paused' }), campaigns({}));
    const set = { status: 'archived' } as const;
    const edit = { account_id: '101', kind: 'campaign', name: 'Two', set } as const;
    // The lists of the plan and right before the first of them come first.
    await scene.fault({ kind: 'change_before', operation: 'campaigns.list', nth: 3, edit });
    const run = await applied(scene);
    const failed = run.report.outcomes.filter(({ outcome }) => outcome === 'failed');
    expect(failed.map(({ address }) => address.name)).toEqual(['Two']);
    expect(failed[0]?.message).toContain('reads as archived after it was switched on');
    expect(run.code).toBe(4);
  });

  it.each([
    ['applied where the list lags', { kind: 'status_lag', lag_sec: 4, operation: 'campaigns.set-status' }],
    [
      'unknown where the list cannot be read afterwards',
      {
        kind: 'broken_answer',
        how: '502',
        when: 'before_commit',
        operation: 'campaigns.list',
        nth: 3,
        times: 6,
      },
    ],
  ] as const)('are %s', async (ended, fault) => {
    const scene = await declared(campaigns({}), campaigns({ status: 'paused' }), campaigns({}));
    await scene.fault(fault);
    const run = await applied(scene);
    const [outcome] = ended.split(' ');
    expect(outcomes(run), messages(run)).toEqual(MANY.map(() => `activate ${outcome}`));
  });
});
