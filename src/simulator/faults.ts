import { rowOf } from '../api/catalogue.ts';
import { STRAIGHT, type Answer, type Bending } from './call.ts';
import type { ArmedFault, Fault, FaultOf } from './fault-shape.ts';
import { draw } from './random.ts';
import type { Route } from './routing.ts';
import type { World } from './world.ts';

/**
 * The faults that strike this call; every fault that it matches counts it, so that `nth` means what it
 * says.
 */
export function strike(world: World, route: Route): Fault[] {
  return world.faults.flatMap((armed) =>
    matches(armed.fault, route) && fires(world, armed) ? [armed.fault] : [],
  );
}

function matches(fault: Fault, { operation, params }: Route): boolean {
  return (
    (fault.operation === undefined || fault.operation === operation) &&
    (fault.method === undefined || fault.method === rowOf(operation).method) &&
    (fault.account_id === undefined || fault.account_id === params['account_id'])
  );
}

function fires(world: World, armed: ArmedFault): boolean {
  const { nth, times, probability } = armed.fault;
  armed.seen += 1;
  if (armed.seen < (nth ?? 1)) return false;
  if (armed.struck >= (times ?? (nth === undefined ? Infinity : 1))) return false;
  if (probability !== undefined && draw(world) >= probability) return false;
  armed.struck += 1;
  return true;
}

/** The first fault of that kind among those that strike. */
export function ofKind<Kind extends Fault['kind']>(
  faults: readonly Fault[],
  kind: Kind,
): FaultOf<Kind> | undefined {
  return faults.find((fault): fault is FaultOf<Kind> => fault.kind === kind);
}

/** How the faults change the carrying out itself. */
export function bendingOf(faults: readonly Fault[]): Bending {
  if (faults.length === 0) return STRAIGHT;
  return {
    partly: ofKind(faults, 'partial_commit') !== undefined,
    listLagSec: ofKind(faults, 'list_lag')?.lag_sec ?? 0,
    repeatPage: ofKind(faults, 'repeated_page') !== undefined,
  };
}

/** The answer with what the faults do to it on its way out. */
export function spoil(faults: readonly Fault[], answer: Answer): Answer {
  return faults.reduce((spoilt, fault) => (spoilt === null ? null : spoilOnce(fault, spoilt)), answer);
}

function spoilOnce(fault: Fault, answer: object): object {
  if (fault.kind === 'odd_reply') return oddReply(fault, answer);
  if (!('has_more' in answer)) return answer;
  if (fault.kind === 'empty_page') return { ...answer, items: [], has_more: true };
  if (fault.kind === 'repeated_page') return { ...answer, has_more: true };
  if (fault.kind !== 'missing_has_more') return answer;
  const { has_more: _dropped, ...rest } = answer;
  return rest;
}

/** In a list every item is odd, elsewhere the reply itself. */
function oddReply({ set }: FaultOf<'odd_reply'>, answer: object): object {
  if (!('items' in answer) || !Array.isArray(answer.items)) return { ...answer, ...set };
  return { ...answer, items: answer.items.map((item: object) => ({ ...item, ...set })) };
}
