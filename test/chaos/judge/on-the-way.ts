import type { World } from '../../../src/simulator/world.ts';
import type { SentWrite } from '../state.ts';

/** A request that the service has and has not carried out yet. */
interface OnTheWay {
  readonly sent: SentWrite;
  readonly dueMs: number;
}

/** Those of some writes that the service is still going to carry out. */
export function onTheWay({ timers }: World, writes: readonly SentWrite[]): readonly OnTheWay[] {
  return timers.flatMap(({ timer, dueMs }) => {
    if (timer.kind !== 'late_commit') return [];
    const request = requestOf(timer.call);
    const sent = writes.find((write) => write.request === request);
    return sent === undefined ? [] : [{ sent, dueMs }];
  });
}

function requestOf(call: Readonly<Record<string, unknown>>): unknown {
  const { cause } = call;
  return typeof cause === 'object' && cause !== null && 'request' in cause ? cause.request : null;
}
