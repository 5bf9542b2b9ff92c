import { rowOf } from '../api/catalogue.ts';
import type { Route } from './access.ts';
import { Bytes, type Answer } from './answers.ts';
import type { ArmedFault, Fault, FaultOf } from './fault-shape.ts';
import { draw } from './random.ts';
import { findAccount, type World } from './world.ts';

/** The faults that apply to what `matches` knows. Every match is counted, so that `nth` is exact. */
function matchArmed<One extends Fault>(world: World, matches: (fault: Fault) => fault is One): One[] {
  return world.faults.flatMap((armed) => {
    const { fault } = armed;
    return matches(fault) && fires(world, armed) ? [fault] : [];
  });
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

const isOrAny = <Value>(wanted: Value | undefined, value: Value): boolean =>
  wanted === undefined || wanted === value;

type CallFault = Exclude<Fault, { kind: 'storage' | 'webhook' }>;

/** The faults that apply to a call. */
export function matchFaults(world: World, route: Route): CallFault[] {
  return matchArmed(
    world,
    (fault): fault is CallFault =>
      fault.kind !== 'storage' &&
      fault.kind !== 'webhook' &&
      isOrAny(fault.operation, route.operation) &&
      isOrAny<string>(fault.method, rowOf(route.operation).method) &&
      (fault.account_id === undefined || isAbout(world, fault.account_id, route)),
  );
}

/** Whether the path names the account, by its id or its platform's id. */
function isAbout(world: World, accountId: string, { params }: Route): boolean {
  const { account_id, platform_account_id } = params;
  if (account_id !== undefined) return account_id === accountId;
  const known = findAccount(world, accountId)?.live.platform_account_id;
  return platform_account_id !== undefined && known === platform_account_id;
}

/** The first fault of the object store that applies to a put. */
export function matchPutFault(
  world: World,
  put: { readonly account_id: string; readonly part: number },
): FaultOf<'storage'> | undefined {
  return matchArmed(
    world,
    (fault): fault is FaultOf<'storage'> =>
      fault.kind === 'storage' && isOrAny(fault.account_id, put.account_id) && isOrAny(fault.part, put.part),
  )[0];
}

/** The first fault of deliveries that applies to an event. */
export function matchWebhookFault(
  world: World,
  told: { readonly account_id: string; readonly event: string },
): FaultOf<'webhook'> | undefined {
  return matchArmed(
    world,
    (fault): fault is FaultOf<'webhook'> =>
      fault.kind === 'webhook' &&
      isOrAny(fault.account_id, told.account_id) &&
      isOrAny(fault.event, told.event),
  )[0];
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
