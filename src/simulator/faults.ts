import { rowOf } from '../api/catalogue.ts';
import type { Route } from './access.ts';
import { Bytes, type Answer } from './answers.ts';
import type { ArmedFault, Fault, FaultOf } from './fault-shape.ts';
import { draw } from './random.ts';
import { findPlatformAccount, type World } from './world.ts';

/** What a fault may be about: a call, a put to the object store, or the delivery of an event. */
type Target =
  | { readonly of: 'call'; readonly operation: string; readonly method: string; readonly account_id?: string }
  | { readonly of: 'storage'; readonly account_id: string; readonly part: number }
  | { readonly of: 'webhook'; readonly account_id: string; readonly event: string };

/** The faults that apply, in their order. Every match is counted, so that `nth` is exact. */
function matchArmed(world: World, target: Target): Fault[] {
  const known: Readonly<Record<string, unknown>> = { ...target };
  return world.faults.flatMap((armed) => {
    const { fault } = armed;
    const of = fault.kind === 'storage' || fault.kind === 'webhook' ? fault.kind : 'call';
    const wanted = Object.entries(fault).filter(([name]) => SELECTORS.includes(name));
    const matches = of === target.of && wanted.every(([name, value]) => known[name] === value);
    return matches && fires(world, armed) ? [fault] : [];
  });
}

/** Members of a fault that select what it applies to. Absent: everything. */
const SELECTORS: readonly string[] = ['operation', 'method', 'account_id', 'part', 'event'];

function fires(world: World, armed: ArmedFault): boolean {
  const { nth, times, probability } = armed.fault;
  armed.seen += 1;
  if (armed.seen < (nth ?? 1)) return false;
  if (armed.struck >= (times ?? (nth === undefined ? Infinity : 1))) return false;
  if (probability !== undefined && draw(world) >= probability) return false;
  armed.struck += 1;
  return true;
}

/** The faults that apply to a call. Its path names an account by its id or by that of the platform. */
export function matchFaults(world: World, { operation, params }: Route): Fault[] {
  const account_id = params['account_id'] ?? findPlatformAccount(world, params)?.live.id;
  const { method } = rowOf(operation);
  return matchArmed(world, {
    of: 'call',
    operation,
    method,
    ...(account_id === undefined ? {} : { account_id }),
  });
}

/** The first fault of the object store that applies to a put. */
export function matchPutFault(
  world: World,
  account_id: string,
  part: number,
): FaultOf<'storage'> | undefined {
  return ofKind(matchArmed(world, { of: 'storage', account_id, part }), 'storage');
}

/** The first fault of deliveries that applies to an event. */
export function matchWebhookFault(
  world: World,
  account_id: string,
  event: string,
): FaultOf<'webhook'> | undefined {
  return ofKind(matchArmed(world, { of: 'webhook', account_id, event }), 'webhook');
}

/** The first fault of that kind. */
export function ofKind<Kind extends Fault['kind']>(
  faults: readonly Fault[],
  kind: Kind,
): FaultOf<Kind> | undefined {
  return faults.find((fault): fault is FaultOf<Kind> => fault.kind === kind);
}

/** How the faults change the execution. */
export function findEffects(faults: readonly Fault[]) {
  const lag = ofKind(faults, 'lag');
  return {
    partly: ofKind(faults, 'partial_commit') !== undefined,
    lagSec: lag?.lag_sec ?? 0,
    /** The single read lags too. */
    readsLag: lag?.reads ?? false,
    repeatPage: ofKind(faults, 'repeated_page') !== undefined,
    /** For a list with a cursor: an empty page, and a cursor for the rows that it should have shown. */
    emptyPage: ofKind(faults, 'empty_page') !== undefined,
  };
}
export type FaultEffects = Readonly<ReturnType<typeof findEffects>>;

/** The answer after the changes by faults. */
export function alterAnswer(faults: readonly Fault[], answer: Answer): Answer {
  if (answer === null || answer instanceof Bytes) return answer;
  return faults.reduce(alterOnce, answer);
}

function alterOnce(answer: object, fault: Fault): object {
  if (fault.kind === 'odd_reply')
    return fault.whole ? { ...answer, ...fault.set } : setInItems(answer, fault.set);
  if (!('has_more' in answer)) return answer;
  if (fault.kind === 'empty_page') return { ...answer, items: [], has_more: true };
  return fault.kind === 'repeated_page' ? { ...answer, has_more: true } : answer;
}

const LISTS = ['items', 'accounts', 'users'];

/** Adds members to every item of a list, elsewhere to the answer itself. */
export function setInItems(answer: object, set: Readonly<Record<string, unknown>>): object {
  for (const [member, value] of Object.entries(answer))
    if (LISTS.includes(member) && Array.isArray(value))
      return { ...answer, [member]: value.map((item: object) => ({ ...item, ...set })) };
  return { ...answer, ...set };
}
