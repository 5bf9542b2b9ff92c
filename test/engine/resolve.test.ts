import { expect, it } from 'vitest';
import type { Declared, Observed } from '../../src/domain/resource.ts';
import type { Look } from '../../src/engine/look.ts';
import type { Reason } from '../../src/engine/reasons.ts';
import { describeResolved } from '../../src/engine/resolve.ts';
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
  readonly verdict: Verdict | null;
  /** A stop of the second pass that a person was faster with. */
  readonly unchanged?: string;
}

const campaign = (id: string, status: string, text = 'Hey') =>
  aLiveCampaign({ id, status, messages: [{ step: 0, text, price_gross: 0 }] });
const broadcast = (id: string, status: string, more: object = {}) => aLiveBroadcast({ id, status, ...more });
const WORDS = { messages: [{ step: 0, text: 'Old', price_gross: 0 }] };

const NO_ANSWER: Reason = {
  kind: 'no-answer',
  problem: { what: 'no answer', hint: null, status: 502 } as never,
  operation: 'campaigns.set-status',
};
const NOT_SHOWN: Reason = { kind: 'not-shown', id: '1', status: 'scheduled' };
const ABSENT: Verdict = { kind: 'absent' };
const DONE: Verdict = { kind: 'done' };
const PAUSED = { target: 'paused' } as const;
const OLD = campaign('1', 'active', 'Old');
const CREATE_FIRST = aCampaign({ replace: 'create_first' });
/** In the first pass of a replace, the create was answered, and the pause of the old version was not. */
const HALF = { declared: CREATE_FIRST, before: [OLD], created: '2', verdict: ABSENT } as const;
const DOUBLED = [broadcast('1', 'scheduled'), broadcast('2', 'scheduled')];

function look({ declared, rows = [] }: Scene, observed: readonly Observed[], minutes: number): Look {
  const nowMs = NOON + minutes * MINUTE;
  const known = { objects: [...rows, ...observed.map((one) => aRow(one))].toReversed() };
  const facts = factsOf([declared], observed, { known, time: { earliestMs: nowMs, latestMs: nowMs } });
  return { facts, plan: buildPlan(facts), begunAt: { monotonicMs: 0, wallMs: nowMs } };
}

function resolve(scene: Scene): string {
  const { declared, before, now, minutes = 0, created, verdict, reasons = [NO_ANSWER] } = scene;
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
  const end = describeResolved(result, { agreed, seen, settled }, carried);
  return [change.action, end.outcome, end.liveId, ...end.reasons.map(({ kind }) => kind)].join(' ');
}

it.each<[string, Scene, string]>([
  [
    'a create that was found, next to an old version that a person has stopped first',
    {
      ...HALF,
      now: [campaign('1', 'paused', 'Old'), campaign('2', 'active')],
      unchanged: '1',
      verdict: { kind: 'adopted', object: campaign('2', 'active') },
    },
    'replace adopted 2 found',
  ],
  [
    'a create that was answered, next to an old version that a person has stopped first',
    { ...HALF, now: [campaign('1', 'paused', 'Old'), campaign('2', 'active')], unchanged: '1' },
    'replace applied 2',
  ],
  [
    'the same, seen by the lists',
    { ...HALF, now: [campaign('1', 'paused', 'Old'), campaign('2', 'active')] },
    'replace applied 2',
  ],
  [
    'a replace with a new version that a person has stopped while the old one runs',
    { ...HALF, now: [OLD, campaign('2', 'paused')] },
    'replace failed 2 planned new-is-live',
  ],
  [
    'a lost activation of what runs all the same',
    {
      declared: aCampaign(),
      before: [campaign('1', 'paused')],
      rows: [stoppedRow(campaign('1', 'paused'))],
      now: [campaign('1', 'active')],
      verdict: ABSENT,
    },
    'activate unchanged 1 planned',
  ],
  [
    'a replace that was lost until it is too late for it',
    {
      declared: aBroadcast(),
      before: [broadcast('1', 'scheduled', WORDS)],
      now: [broadcast('1', 'scheduled', WORDS)],
      minutes: 357,
      verdict: ABSENT,
    },
    'replace failed 1 lost planned',
  ],
  [
    'a pause that was answered, and did not arrive before its broadcast left',
    {
      declared: aBroadcast(PAUSED),
      before: [broadcast('1', 'scheduled')],
      now: [broadcast('1', 'sending')],
      minutes: 361,
      reasons: [NOT_SHOWN],
      verdict: null,
    },
    'pause unknown 1 not-shown planned',
  ],
  [
    'a pause that arrived after its broadcast had begun to leave',
    {
      declared: aBroadcast(PAUSED),
      before: [broadcast('1', 'scheduled')],
      now: [broadcast('1', 'paused', { scheduled_at: null })],
      minutes: 361,
      verdict: DONE,
    },
    'pause adopted 1 had-begun',
  ],
  [
    'a lost stop of a copy after a person has stopped the original',
    {
      declared: aBroadcast(),
      before: DOUBLED,
      now: [broadcast('1', 'paused'), broadcast('2', 'scheduled')],
      verdict: ABSENT,
    },
    'retire unchanged 2 planned',
  ],
  [
    'a lost stop that a person was faster with',
    {
      declared: aCampaign(PAUSED),
      before: [campaign('1', 'active')],
      now: [campaign('1', 'archived')],
      verdict: ABSENT,
    },
    'pause unchanged 1 planned',
  ],
  [
    'a request that someone has closed meanwhile',
    {
      declared: aCampaign(PAUSED),
      before: [campaign('1', 'active')],
      now: [campaign('1', 'paused')],
      verdict: { kind: 'open' },
    },
    'pause unknown 1 no-answer',
  ],
])('%s', (_, scene, expected) => {
  expect(resolve(scene)).toBe(expected);
});
