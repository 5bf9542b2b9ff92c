import { expect, it } from 'vitest';
import type { Declared, Observed } from '../../src/domain/resource.ts';
import { Moment } from '../../src/domain/time.ts';
import type { Look } from '../../src/engine/look.ts';
import type { Reason } from '../../src/engine/reasons.ts';
import { Round } from '../../src/engine/resolve.ts';
import type { Result } from '../../src/engine/run.ts';
import type { Settled, Verdict } from '../../src/engine/settle.ts';
import { targetOfStep } from '../../src/engine/task.ts';
import { isAboutObject, type ObjectRow } from '../../src/state/shapes.ts';
import { buildPlan } from '../../src/plan/plan.ts';
import { aChange } from '../helpers/plan-builders.ts';
import { NOON } from '../helpers/flow-clock.ts';
import { aBroadcast, aCampaign, aLiveBroadcast, aLiveCampaign } from '../helpers/resource-builders.ts';
import { anOpenRequest, aRow, factsOf, MINUTE, stoppedRow } from '../plan/facts-of.ts';

interface Scene {
  readonly declared: Declared;
  /** Before the change, and by now. */
  readonly before: readonly Observed[];
  readonly now: readonly Observed[];
  /** What the state has of it by now. */
  readonly rows?: readonly ObjectRow[];
  readonly minutes?: number;
  /** What a create of the first pass was answered with. */
  readonly created?: string;
  readonly reasons?: readonly Reason[];
  /** Lost, unless it is given. */
  readonly verdict?: Verdict | null;
  /** A stop of the second pass that a person was faster with. */
  readonly unchanged?: string;
}

const campaign = (id: string, status: string, text = 'Hey') =>
  aLiveCampaign({ id, status, messages: [{ step: 0, text, price_gross: 0 }] });
const broadcast = (id: string, status: string, more: object = {}) => aLiveBroadcast({ id, status, ...more });

const NO_ANSWER: Reason = { kind: 'no-answer', problem: {} as never, operation: 'campaigns.set-status' };
const REFUSED: Reason = { kind: 'refused', problem: {} as never };
const NOT_SHOWN: Reason = { kind: 'not-shown', id: '1', status: 'scheduled' };
const OLD = campaign('1', 'active', 'Old');
const OLD_STOPPED = campaign('1', 'paused', 'Old');
const NEW = campaign('2', 'active');
const moved = (status: string) => [
  broadcast('1', status, { messages: [{ step: 0, text: 'Old', price_gross: 0 }] }),
];
const MOVED = moved('scheduled');
const STOPPED = [campaign('1', 'paused')];

/** In the first pass of a replace, the create was answered, and the pause of the old version was not. */
const HALF = { declared: aCampaign({ replace: 'create_first' }), before: [OLD], created: '2' };
const ACTIVATE = { declared: aCampaign(), before: STOPPED, rows: STOPPED.map((one) => stoppedRow(one)) };
const PAUSE = { declared: aCampaign({ target: 'paused' }), before: [campaign('1', 'active')] };
const WAITS = [broadcast('1', 'scheduled')];
const PAUSE_BROADCAST = { declared: aBroadcast({ target: 'paused' }), before: WAITS, minutes: 361 };
const RETIRE = { declared: aBroadcast(), before: [...WAITS, broadcast('2', 'scheduled')] };

function look({ declared, rows = [] }: Scene, observed: readonly Observed[], minutes: number): Look {
  const nowMs = NOON + minutes * MINUTE;
  const known = { objects: [...rows, ...observed.map((one) => aRow(one))].toReversed() };
  const facts = factsOf([declared], observed, { known, time: { earliestMs: nowMs, latestMs: nowMs } });
  return { facts, plan: buildPlan(facts), begunAt: new Moment({ now: () => nowMs, monotonicMs: () => 0 }) };
}

function resolve(scene: Scene): string {
  const { declared, before, now, minutes = 0, created, reasons = [NO_ANSWER] } = scene;
  const { verdict = { kind: 'absent' } } = scene;
  const [agreed, seen] = [look(scene, before, 0), look(scene, now, minutes)];
  const change = agreed.plan.changes.find(({ steps }) => steps.length > 0);
  if (change === undefined) throw new Error('nothing is to be done');
  const { live_id, action } = change;
  const request = anOpenRequest(declared, { live_id, target: targetOfStep(action) });
  if (!isAboutObject(request)) throw new Error('it is about an object');
  const settled: readonly Settled[] = verdict === null ? [] : [{ request, verdict }];
  const liveId = created ?? change.live_id;
  const stopped = aChange({ ...change.address, action: 'pause', live_id: '1' });
  const carried: readonly Result[] =
    scene.unchanged === undefined
      ? []
      : [{ change: stopped, outcome: 'unchanged', liveId: scene.unchanged, reasons: [] }];
  const result = { change, outcome: 'unknown', liveId, reasons } as const;
  const end = new Round(agreed, settled, seen).describeResolved(result, carried);
  return [change.action, end.outcome, end.liveId, ...end.reasons.map(({ kind }) => kind)].join(' ');
}

it.each<[string, Scene, string]>([
  [
    'a create that was found, next to an old version that a person has stopped first',
    { ...HALF, now: [OLD_STOPPED, NEW], unchanged: '1', verdict: { kind: 'adopted', object: NEW } },
    'replace adopted 2 found',
  ],
  [
    'a create that was answered, next to an old version that a person has stopped first',
    { ...HALF, now: [OLD_STOPPED, NEW], unchanged: '1' },
    'replace applied 2',
  ],
  ['the same, seen by the lists', { ...HALF, now: [OLD_STOPPED, NEW] }, 'replace applied 2'],
  [
    'a replace with a new version that a person has stopped while the old one runs',
    { ...HALF, now: [OLD, campaign('2', 'paused')] },
    'replace failed 2 planned new-is-live',
  ],
  [
    'a lost activation of what runs all the same',
    { ...ACTIVATE, now: PAUSE.before },
    'activate unchanged 1 planned',
  ],
  [
    'a replace that was lost until it is too late for it',
    { declared: aBroadcast(), before: MOVED, now: MOVED, minutes: 357 },
    'replace failed 1 lost planned',
  ],
  [
    'the same, with the old version paused for it',
    { declared: aBroadcast(), before: MOVED, now: moved('paused'), minutes: 357 },
    'replace failed 1 lost planned old-stays-paused',
  ],
  [
    'a refused create, after which the start of the old version got no answer',
    {
      declared: aCampaign(),
      before: [OLD],
      now: [OLD],
      reasons: [REFUSED, { kind: 'old-stays-paused', id: '1', because: NO_ANSWER }],
      verdict: { kind: 'repeat', target: 'active' },
    },
    'replace failed 1 refused old-runs-again',
  ],
  [
    'a lost create next to a new object with other words',
    { declared: aCampaign(), before: [], now: [OLD], verdict: { kind: 'unclear', ids: ['1'], entry: 'e' } },
    'create unknown  unclear',
  ],
  [
    'a lost pause of a broadcast that has left',
    { ...PAUSE_BROADCAST, now: [broadcast('1', 'sending')] },
    'pause failed 1 left',
  ],
  [
    'a pause that was answered, and did not arrive before its broadcast left',
    { ...PAUSE_BROADCAST, now: [broadcast('1', 'sending')], reasons: [NOT_SHOWN], verdict: null },
    'pause unknown 1 not-shown planned',
  ],
  [
    'a pause that arrived after its broadcast had begun to leave',
    {
      ...PAUSE_BROADCAST,
      now: [broadcast('1', 'paused', { scheduled_at: null })],
      verdict: { kind: 'done' },
    },
    'pause adopted 1 had-begun',
  ],
  [
    'a lost stop of a copy after a person has stopped the original',
    { ...RETIRE, now: [broadcast('1', 'paused'), broadcast('2', 'scheduled')] },
    'retire unchanged 2 planned',
  ],
  [
    'a lost stop that a person was faster with',
    { ...PAUSE, now: [campaign('1', 'archived')] },
    'pause unchanged 1 planned',
  ],
  [
    'a request that someone has closed while it was settled',
    { ...PAUSE, now: STOPPED, verdict: { kind: 'open' } },
    'pause unknown 1 no-answer',
  ],
  [
    'a request that someone has closed before that',
    { ...PAUSE, now: STOPPED, verdict: null },
    'pause unknown 1 no-answer',
  ],
])('%s', (_, scene, expected) => {
  expect(resolve(scene)).toBe(expected);
});
