import type { Route } from './access.ts';
import type { Answer } from './answers.ts';
import type { ArmedFault, Fault, FaultOf } from './fault-shape.ts';
import { findAccount, type World } from './world.ts';

/** Members of a fault that select what it applies to. Absent: everything. */
const SELECTORS: readonly string[] = ['operation', 'account_id', 'part'];

/**
 * The faults that apply to a call, to a put to the object store or to the delivery of an event, in their order. Every
 * match is counted, so that `nth` is exact.
 */
export function matchArmed(
  world: World,
  of: 'call' | 'storage' | 'webhook',
  target: Readonly<Record<string, unknown>>,
): Fault[] {
  return world.faults.flatMap((armed) => {
    const { fault } = armed;
    const isAbout = fault.kind === 'storage' || fault.kind === 'webhook' ? fault.kind : 'call';
    const wanted = Object.entries(fault).filter(([name]) => SELECTORS.includes(name));
    const matches = isAbout === of && wanted.every(([name, value]) => target[name] === value);
    return matches && fires(armed) ? [fault] : [];
  });
}

function fires(armed: ArmedFault): boolean {
  const { nth, times } = armed.fault;
  armed.seen += 1;
  if (armed.seen < (nth ?? 1)) return false;
  if (armed.struck >= (times ?? (nth === undefined ? Infinity : 1))) return false;
  armed.struck += 1;
  return true;
}

/** The faults that apply to a call. Its path names an account by its id or by that of the platform. */
export function matchFaults(world: World, { operation, params }: Route): Fault[] {
  const account_id = findAccount(world, params)?.live.id;
  return matchArmed(world, 'call', { operation, account_id });
}

export function ofKind<Kind extends Fault['kind']>(
  faults: readonly Fault[],
  kind: Kind,
): FaultOf<Kind> | undefined {
  return faults.find((fault): fault is FaultOf<Kind> => fault.kind === kind);
}

export function findEffects(faults: readonly Fault[]) {
  const lag = ofKind(faults, 'lag');
  return {
    partly: ofKind(faults, 'partial_commit') !== undefined,
    /** The time until a new object, or a new status, appears in its list. */
    lagMs: (lag?.lag_sec ?? 0) * 1000,
    /** The single read lags too. */
    readsLag: lag?.reads ?? false,
    repeatPage: ofKind(faults, 'repeated_page') !== undefined,
  };
}
export type FaultEffects = Readonly<ReturnType<typeof findEffects>>;

export function alterAnswer(faults: readonly Fault[], answer: Answer): Answer {
  if (answer === null || answer instanceof Uint8Array) return answer;
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
