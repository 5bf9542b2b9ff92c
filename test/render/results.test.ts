import { describe, expect, it } from 'vitest';
import type { ServiceError } from '../../src/api/errors.ts';
import type { Reason } from '../../src/engine/reasons.ts';
import type { Hindrance, RequestRow } from '../../src/state/shapes.ts';
import { type Again, describeResults } from '../../src/render/results.ts';
import { aChange } from '../helpers/plan-builders.ts';

const request = { entry: 'run-1', who: 'mia', name: 'Other', command: 'campaigns pause' } as RequestRow;
const hindered = (kind: Hindrance['kind']): Reason => ({
  kind: 'hindered',
  hindrance: kind === 'lease-lost' || kind === 'ended' ? { kind } : { kind, request },
});

function describeOne(reason: Reason, again?: Again): string {
  const results = [
    { change: aChange({ name: 'Welcome' }), outcome: 'failed' as const, liveId: '7', reasons: [reason] },
  ];
  return describeResults(results, again && (() => again)).outcomes[0]?.message ?? '';
}

const byHand = (command: string): Again => ({ kind: 'by-hand', command });

const PLAN = 'To see what is live now: herald plan.';
const APPLY = 'To go on: herald apply.';

describe('a reason has its sentence and the next command', () => {
  it.each<[Reason, string]>([
    [hindered('lease-lost'), `Another run has the lease of the state, so nothing more was sent. ${APPLY}`],
    [
      hindered('stopped-by-hand'),
      'mia stopped it with "campaigns pause" meanwhile, so it does not run. To start it: herald apply --target alice/campaign/Welcome --allow resume.',
    ],
    [
      hindered('open-start'),
      `An earlier start of "Other", which has its content, has no answer yet (run-1). ${APPLY}`,
    ],
    [
      hindered('open-stop'),
      `An earlier stop of it has no answer yet (run-1), and could undo this start. ${APPLY}`,
    ],
    [hindered('ended'), `It was closed meanwhile. ${PLAN}`],
    [{ kind: 'unread', message: 'answered 500', isDenied: false }, `cannot be read: answered 500. ${APPLY}`],
    [
      { kind: 'list-changed', ids: ['8', '9'] },
      `8, 9 appeared with this name or has another status since the plan was made`,
    ],
    [
      { kind: 'not-shown', id: '7', status: null },
      `7 reads as no status, although the service confirmed the change.`,
    ],
    [{ kind: 'not-agreed' }, `What is left to do is not what was agreed to, so it was not done. ${PLAN}`],
    [
      { kind: 'bug', message: 'x' },
      `Herald itself failed during this change: x. Check it on the service. ${PLAN}`,
    ],
    [{ kind: 'start-open' }, 'To see it: herald campaigns list --account alice.'],
    [
      { kind: 'needs-again', action: 'pause', id: '7', status: 'active' },
      `By now 7 is active, and "pause" would be`,
    ],
    [{ kind: 'had-begun', id: '7', percent: 40 }, '7 had begun to go out before it was paused (40 % done).'],
    [
      { kind: 'left', id: '7', isPaused: true },
      'To send the rest: herald broadcasts resume 7 --account alice.',
    ],
    [
      { kind: 'left', id: '7', isPaused: false },
      'To stop it now: herald broadcasts pause 7 --account alice.',
    ],
    [
      { kind: 'unclear', ids: ['8', '9'], entry: 'run-1' },
      'To stop one: herald campaigns pause 8 --account alice. After that, or to keep one: herald state close run-1',
    ],
    [
      { kind: 'differs', id: '7', what: 'status', was: null, is: 'active' },
      `7 was without a status when the plan was made and is active now. It was not changed. ${PLAN}`,
    ],
    [
      { kind: 'differs', id: '7', what: 'content', was: null, is: null },
      `7 was edited after the plan was made. It was not changed. ${PLAN}`,
    ],
    [{ kind: 'new-is-live', id: '8', oldId: '7' }, 'and the old one 7 runs as well, so fans could get both.'],
    [
      { kind: 'old-stays-paused', id: '7', because: { kind: 'interrupted' } },
      'Herald paused the old version 7, and did not start it again. The run was interrupted before it began.',
    ],
  ])('%j', (reason, words) => {
    expect(describeOne(reason)).toContain(words);
  });

  it('that is the command itself where a person made the change by hand', () => {
    expect(describeOne(hindered('lease-lost'), byHand('herald campaigns activate 7'))).toContain(
      'To try it again: herald campaigns activate 7.',
    );
    expect(
      describeOne({ kind: 'differs', id: '7', what: 'hour', was: 'a', is: null }, byHand('herald x')),
    ).toContain(
      '7 was a when the plan was made and is without an hour now. It was not changed. To see what is live now: herald campaigns list --account alice.',
    );
  });

  const silence = {
    what: 'no answer',
    method: 'POST',
    url: 'https://api.example',
  } as ServiceError['problem'];
  it.each<Reason>([
    { kind: 'lost-twice' },
    { kind: 'interrupted' },
    hindered('open-stop'),
    hindered('stopped-by-hand'),
    { kind: 'no-answer', operation: 'campaigns.create', problem: silence },
  ])('that is never an apply at the desk of a reader, in a job: %j', (reason) => {
    const words = describeOne(reason, { kind: 'job', commit: '0123456789abcdef' });
    expect(words).not.toContain('herald apply');
    if (reason.kind !== 'hindered' || reason.hindrance.kind === 'open-stop')
      expect(words).toContain('the apply job of 0123456789ab');
  });

  it('that has the limits of the run', () => {
    const again = { kind: 'apply', command: 'herald apply --target x' } as const;
    expect(describeOne({ kind: 'interrupted' }, again)).toContain('To go on: herald apply --target x.');
  });
});
