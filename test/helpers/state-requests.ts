import { systemClock } from '../../src/host/clock.ts';
import type { NewRequest, StartCheck } from '../../src/state/shapes.ts';
import type { State, StateLocation, StateOptions } from '../../src/state/state.ts';

/** Requests of one campaign, for tests of the state. */
export const CREATE: Required<NewRequest> = {
  operation: 'campaigns.create',
  command: 'apply',
  account: 'alice',
  account_id: '101',
  kind: 'campaign',
  name: 'Welcome',
  live_id: null,
  target: null,
  purpose: 'declared',
  content: 'digest-1',
  asked: { wanted: { name: 'Welcome' } },
};
export const PAUSE: Required<NewRequest> = {
  ...CREATE,
  operation: 'campaigns.setStatus',
  command: 'campaigns pause',
  live_id: '12',
  target: 'paused',
  purpose: 'by_hand',
};
export const FROM_START: StartCheck = { after_seq: 0, other_name: null };

export const ACTIVATE: Required<NewRequest> = {
  ...CREATE,
  operation: 'campaigns.setStatus',
  live_id: '12',
  target: 'active',
};

/** Records a request that nothing forbids. */
export async function begun(state: State, request: NewRequest, check: StartCheck | null = FROM_START) {
  const answer = await state.begin(request, check);
  if (answer.kind !== 'begun') throw new Error(`refused: ${answer.hindrance.kind}`);
  return answer;
}

let runs = 0;

/** A run of its own. Its holder is `ana, run-N`. */
export function aRun(location: StateLocation, more: Partial<StateOptions> = {}): StateOptions {
  runs += 1;
  const run = `run-${runs}`;
  return {
    location,
    clock: systemClock,
    run,
    who: 'ana',
    holder: `ana, ${run}`,
    service: () => 'live',
    ...more,
  };
}
