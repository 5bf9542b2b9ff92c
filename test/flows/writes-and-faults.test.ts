import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Operation } from '../../src/api/catalogue.ts';
import { applyReportShape, errorReportShape } from '../../src/domain/change.ts';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { parseWorld } from '../../src/simulator/world.ts';
import { CHAT } from './chats.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { createsSent, liveOn } from '../helpers/flows.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { madeOnce } from '../helpers/made-once.ts';
import { aScene, WORLD_FILE, type Ran, type Scene } from '../helpers/scene.ts';
import { CELLS } from './writes-and-faults-cells.ts';
import type { Oracle } from '../../src/simulator/control.ts';

/** One write: what comes before it, the command, and its request to the service. */
interface Write {
  readonly title: string;
  readonly operation: Operation;
  readonly prepare?: (scene: Scene) => Promise<unknown>;
  readonly command: (scene: Scene) => Promise<readonly string[]> | readonly string[];
  /** What the command comes to when all is done. */
  readonly again: string;
  /** What of it reached someone, or `old` of what was there before; twice, if it was carried out twice. */
  readonly got: (oracle: Oracle) => readonly string[];
}

const HOUR = 3_600_000;

const declare = (files: Record<string, string>) => (scene: Scene) =>
  Promise.resolve(Object.assign(scene.files.tree, files));
const aCampaign = (text: string, more: object = {}) =>
  declare(declaring({ campaigns: [campaign({ messages: [{ text }], ...more })] }));
const aBroadcast = (text: string, more: object = {}) =>
  declare(declaring({ broadcasts: [broadcast({ messages: [{ text }], ...more })] }));
const apply = async (scene: Scene) => {
  const ran = await scene.herald('apply', '--yes');
  if (ran.code !== 0) throw new Error(`${ran.stdout}${ran.stderr}`);
};
const inTurn =
  (...deeds: readonly ((scene: Scene) => Promise<unknown>)[]) =>
  async (scene: Scene) => {
    for (const deed of deeds) await deed(scene);
  };
const aFanComes = (scene: Scene) =>
  scene.service((control) =>
    control.fireTrigger({ account_id: '101', trigger: 'welcome_message', fan_id: 'f1' }),
  );
const itGoesOut = async (scene: Scene) => scene.clock.move(3.5 * HOUR);

/** The texts that fans keep. Each fan got one message, once. */
function listDispatched({ dispatches }: Oracle): readonly string[] {
  const kept = new Map(dispatches.map((one) => [one.fan_id, one.taken_back ? null : one.text]));
  expect(dispatches.length, 'what fans got').toBe(kept.size);
  return [...new Set(kept.values())].filter((text) => text !== null);
}

/** A write of an apply, after these deeds. */
const applied = (
  title: string,
  operation: Operation,
  deeds: readonly ((scene: Scene) => Promise<unknown>)[],
  ...flags: readonly string[]
): Write => ({
  title,
  operation,
  prepare: inTurn(...deeds),
  command: () => ['apply', '--yes', ...flags],
  again: 'unchanged 0 ×0',
  got: listDispatched,
});

const [PAUSED, ARCHIVED, RECALLED] = ['paused', 'archived', 'recalled'].map((status) => ({ status }));
const NEW_CAMPAIGN = [aCampaign('new'), apply];
const NEW_BROADCAST = [aBroadcast('new'), apply];
const OTHER_CAMPAIGN = [aCampaign('old'), apply, aCampaign('new')];
const OTHER_BROADCAST = [aBroadcast('old'), apply, aBroadcast('new')];
const STARTED_CAMPAIGN = [...NEW_CAMPAIGN, aCampaign('new', PAUSED), apply, aCampaign('new')];
const STARTED_BROADCAST = [...NEW_BROADCAST, aBroadcast('new', PAUSED), apply, aBroadcast('new')];
const RECALLED_CAMPAIGN = [...NEW_CAMPAIGN, aFanComes, aCampaign('new', RECALLED)];
const RECALLED_BROADCAST = [...NEW_BROADCAST, itGoesOut, aBroadcast('new', RECALLED)];

const WRITES: readonly Write[] = [
  // LOST-1
  applied('create a campaign', 'campaigns.create', [aCampaign('new')]),
  // LOST-8
  applied('replace a campaign', 'campaigns.create', OTHER_CAMPAIGN),
  applied('pause the old one of a replaced campaign', 'campaigns.set-status', OTHER_CAMPAIGN),
  // LOST-2
  applied('pause a campaign', 'campaigns.set-status', [...NEW_CAMPAIGN, aCampaign('new', PAUSED)]),
  applied('activate a campaign', 'campaigns.set-status', STARTED_CAMPAIGN),
  applied('archive a campaign', 'campaigns.set-status', [...NEW_CAMPAIGN, aCampaign('new', ARCHIVED)]),
  // LOST-3, CAMPAIGN-13
  applied('recall a campaign', 'campaigns.unsend', RECALLED_CAMPAIGN, '--allow', 'recall'),
  // LOST-4
  applied('create a broadcast', 'broadcasts.create', [aBroadcast('new')]),
  // LOST-9
  applied('replace a broadcast', 'broadcasts.create', OTHER_BROADCAST),
  applied('pause the old one of a replaced broadcast', 'broadcasts.set-status', OTHER_BROADCAST),
  // LOST-5
  applied('pause a broadcast', 'broadcasts.set-status', [...NEW_BROADCAST, aBroadcast('new', PAUSED)]),
  // LOST-6
  applied('resume a broadcast', 'broadcasts.set-status', STARTED_BROADCAST),
  // LOST-7, BROADCAST-20, BROADCAST-21
  applied('recall a broadcast', 'broadcasts.unsend', RECALLED_BROADCAST, '--allow', 'recall'),
  {
    title: 'stop a campaign by hand',
    operation: 'campaigns.set-status',
    prepare: inTurn(aCampaign('new'), apply),
    command: async (scene) => {
      const [live] = await liveOn(scene, '101', 'campaign');
      return ['campaigns', 'pause', live?.id ?? '', '--account', 'alice', '--yes'];
    },
    again: 'applied 0 ×1',
    got: listDispatched,
  },
  // LOST-10
  {
    title: 'send a chat message',
    operation: 'chat.send',
    command: () => ['chat', 'send', CHAT, '--account', 'alice', '--text', 'new', '--yes'],
    again: 'similar-message 5 ×0',
    got: ({ chats }) => (chats['101']?.sends[CHAT] ?? []).map(({ text }) => text ?? ''),
  },
  // LOST-13
  {
    title: 'request a payout',
    operation: 'payouts.request',
    command: () => ['payouts', 'request', '--account', 'alice', '--amount', '100.10', '--yes'],
    again: 'similar-payout 5 ×0',
    got: ({ payouts }) => (payouts['101']?.committed ?? []).map(() => 'new'),
  },
  // LOST-12
  {
    title: 'follow a fan',
    operation: 'fans.follow',
    command: () => ['fans', 'follow', CHAT, '--account', 'alice', '--yes'],
    again: 'done 0 ×1',
    got: ({ chats }) => (chats['101']?.follows ?? []).map(() => 'new'),
  },
  // LOST-11
  {
    title: 'label a fan',
    operation: 'fans.label',
    command: () => ['fans', 'label', CHAT, '--account', 'alice', '--name', 'new', '--yes'],
    again: 'done 0 ×1',
    got: ({ chats }) => Object.values(chats['101']?.labels ?? {}).map((label) => label.custom_name),
  },
];

/** Each is about the operation of the write. */
const FAULTS: readonly (readonly [string, object | null])[] = [
  ['no fault', null],
  ...[400, 401, 403, 409].map((status) => [`refused with ${status}`, { kind: 'refusal', status }] as const),
  // FAULT-7
  ['429 once', { kind: 'throttle', nth: 1 }],
  ['429 each time', { kind: 'throttle' }],
  // FAULT-4
  ['500 each time, not carried out', broken('500', 'before_commit')],
  // FAULT-5
  ['500 once, carried out', { ...broken('500', 'after_commit'), nth: 1 }],
  ['502 of a gateway each time, carried out', broken('502', 'after_commit')],
  // FAULT-6
  ['no connection at first', { ...broken('connect ECONNREFUSED', 'before_commit'), nth: 1, times: 2 }],
  // FAULT-11
  ['reset, not carried out', { ...broken('reset', 'before_commit'), nth: 1 }],
  ['reset, carried out', { ...broken('reset', 'after_commit'), nth: 1 }],
  // FAULT-3, ERROR-9, CAMPAIGN-2, BROADCAST-2
  ['reset, carried out 60 s later', { kind: 'late_commit', after_sec: 60, how: 'reset', nth: 1 }],
  // FAULT-10
  ['cut off, carried out', { ...broken('truncated', 'after_commit'), nth: 1 }],
  ['half done', { kind: 'partial_commit', nth: 1 }],
  // ERROR-15
  ['shown 8 s later', { kind: 'lag', lag_sec: 8, reads: true }],
  // FAULT-2
  ['answered too late', { kind: 'slow', delay_ms: 300_000, nth: 1 }],
];

function broken(
  how: '500' | '502' | 'reset' | 'truncated' | 'connect ECONNREFUSED',
  when: 'before_commit' | 'after_commit',
) {
  return { kind: 'broken_answer', how, when } as const;
}

const itemShape = z.object({ item: z.looseObject({ outcome: z.string().optional() }) });
const resultShape = z.union([applyReportShape, errorReportShape, itemShape]);

/** `applied 0 ×1`: the outcome, the exit code, the requests for the write, and `+2` others that change something. */
async function runOnce(scene: Scene, { operation, command }: Write): Promise<string> {
  const before = (await listWrites(scene)).length;
  const ran = await scene.herald(...(await command(scene)), '--format', 'json');
  const writes = (await listWrites(scene)).slice(before);
  const own = writes.filter((one) => one === operation).length;
  const others = writes.length - own;
  return `${describeEnd(ran)} ${ran.code} ×${own}${others === 0 ? '' : `+${others}`}`;
}

/** Requests that left: one without a connection did not. */
function listWrites(scene: Scene): Promise<readonly string[]> {
  return scene.look((_, { requests }) =>
    requests
      .filter(({ method, fault }) => method !== 'GET' && fault !== 'broken_answer connect ECONNREFUSED')
      .map(({ operation }) => operation ?? ''),
  );
}

function describeEnd(ran: Ran): string {
  const result = resultShape.parse(JSON.parse(ran.stdout));
  if ('item' in result) return result.item.outcome ?? 'done';
  if ('code' in result) {
    expect(result.hint, 'the next step').toMatch(/\w/);
    return result.code;
  }
  for (const { action, outcome, message } of result.outcomes)
    if (!FINE.includes(outcome))
      expect(message, 'the next command').toMatch(action === 'blocked' ? /\w/ : /herald [a-z]+/);
  const ends = result.outcomes.map(({ action, outcome }) => (action === 'blocked' ? action : outcome));
  return ends.join(', ');
}

const FINE = ['applied', 'adopted', 'unchanged'];

/** What everyone has in the end, if no one does anything more: a fan comes, and all hours pass, in a copy of the world. */
function lookAhead(scene: Scene, { got }: Write): string {
  const world = parseWorld(scene.files.tree[WORLD_FILE] ?? '');
  const { control } = createSimulator(world, { clock: flowClock(scene.clock.now()) });
  control.fireTrigger({ account_id: '101', trigger: 'welcome_message', fan_id: 'f2' });
  control.advance(100 * HOUR);
  const texts = got(control.oracle());
  expect(texts.length, `${texts.join(' and ')}: carried out twice`).toBeLessThanOrEqual(1);
  return texts[0] ?? '-';
}

const FINISHED = /^(unchanged|applied|adopted|done|queued|requested) /;

describe.each(WRITES)('$title', (write) => {
  const prepared = madeOnce(async () => {
    const scene = aScene({ world: {} });
    await write.prepare?.(scene);
    return scene;
  });

  it.each(FAULTS)('%s', async (title, fault) => {
    const scene = await prepared();
    if (fault !== null) await scene.fault({ ...fault, operation: write.operation } as FaultInput);
    const first = await runOnce(scene, write);
    const gotFirst = lookAhead(scene, write);
    await scene.service((control) => control.clearFaults());
    const second = await runOnce(scene, write);
    if (second !== write.again)
      expect(await runOnce(scene, write), 'the third run').toBe(FINISHED.test(second) ? write.again : second);
    const gotSecond = lookAhead(scene, write);
    const isQuiet = second === write.again && gotFirst === gotSecond;
    const cell = `${first} ${gotFirst}${isQuiet ? '' : ` | ${second} ${gotSecond}`}`;
    expect(cell).toBe(CELLS[write.title]?.[title]);
  });
});

// ERROR-8
it.each([
  ['after_commit', /From an earlier run: create alice\/campaign\/Welcome \(\d+\) took effect\./, 1],
  ['before_commit', /From an earlier run: create alice\/campaign\/Welcome shows no effect\./, 2],
] as const)(
  'an apply says what became of a create that an earlier one lost %s',
  async (when, said, creates) => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    await scene.fault({ ...broken('reset', when), operation: 'campaigns.create', nth: 1 });
    await scene.fault({ kind: 'refusal', operation: 'campaigns.list', status: 403, nth: 2 });
    expect((await scene.herald('apply', '--yes')).code).toBe(3);
    const { code, stderr } = await scene.herald('apply', '--yes');
    expect([code, stderr]).toEqual([0, expect.stringMatching(said)]);
    expect(await createsSent(scene)).toBe(creates);
  },
);
