import type { ArmedFault, Fault, FaultOf } from './fault-shape.ts';
import type { World } from './world.ts';

/** Members of a fault that select what it applies to. Absent: everything. */
const SELECTORS: readonly string[] = ['operation', 'account_id', 'part'];

/**
 * The faults that apply to a call, to a put to the object store or to the delivery of an event, in their order. Every
 * match is counted, so that `nth` is exact.
 */
export function matchFaults(
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

export function ofKind<Kind extends Fault['kind']>(
  faults: readonly Fault[],
  kind: Kind,
): FaultOf<Kind> | undefined {
  return faults.find((fault): fault is FaultOf<Kind> => fault.kind === kind);
}
