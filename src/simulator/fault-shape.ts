import * as z from 'zod';
import { isOperation, type Operation } from '../api/catalogue.ts';
import { editShape, seedShape } from './seed-shape.ts';

/** Ways to lose or damage an answer (docs/service/faults.md). */
const BREAKAGES = ['timeout', 'reset', '500', '502', 'truncated', 'unreadable'] as const;

/** An error of the connection, as Node reports it: the system call and the code, such as `write EPIPE`. */
const connectionError = z.custom<`${string} E${string}`>(
  (value) => typeof value === 'string' && /^[a-z]+ E[A-Z_]+$/.test(value),
  `not one of ${BREAKAGES.join(', ')}, nor an error such as "write EPIPE"`,
);

const how = z.union([z.enum(BREAKAGES), connectionError]);

export type Breakage = z.infer<typeof how>;

const when = z.enum(['before_commit', 'after_commit']);

const seconds = z.number().min(0);

const selection = {
  /** Absent: calls of every operation. */
  operation: z
    .custom<Operation>((value) => typeof value === 'string' && isOperation(value), 'not an operation')
    .optional(),
  account_id: z.string().optional(),
  /** The first matching call with the fault, from 1. Absent: every matching call. */
  nth: z.int().min(1).optional(),
  /** The number of calls with the fault. Default: one with `nth`, else all. */
  times: z.int().min(1).optional(),
};

const defineFault = <Kind extends string, Members extends z.core.$ZodLooseShape = object>(
  kind: Kind,
  members: Members,
) => z.strictObject({ ...selection, kind: z.literal(kind), ...members });

export const faultShape = z.discriminatedUnion('kind', [
  defineFault('broken_answer', { when, how }),
  /** The answer is lost, and the request is executed `after_sec` virtual seconds later. */
  defineFault('late_commit', { after_sec: seconds, how: how.default('timeout') }),
  /** Half of a status change: the campaign has its new status, its queue stays, and the answer is a 502. */
  defineFault('partial_commit', {}),
  /** Answered after `delay_ms`, and executed right away or, with `before_commit`, only then. */
  defineFault('slow', { delay_ms: z.number().min(0), when: when.default('after_commit') }),
  defineFault('throttle', { retry_after_sec: seconds.optional() }),
  defineFault('refusal', { status: z.int().min(400).max(499) }),
  /** An empty page, although `has_more` says that rows follow. */
  defineFault('empty_page', {}),
  /** The page before this one again, with `has_more`. */
  defineFault('repeated_page', {}),
  /** Changes live state just before the call, so that items shift between two pages. */
  defineFault('change_before', { edit: editShape.optional(), seed: seedShape.optional() }),
  /** For a while, lists do not show the new object or status. With `reads`, neither does the single read. */
  defineFault('lag', { lag_sec: seconds, reads: z.boolean().default(false) }),
  /** A 2xx with replaced or added members: in each item of a list, unless it is about the `whole` answer. */
  defineFault('odd_reply', { set: z.record(z.string(), z.unknown()), whole: z.boolean().default(false) }),
  /** A put to the object store fails. It has no operation. */
  defineFault('storage', {
    /** Absent: every part, and whole objects. */
    part: z.int().optional(),
    /**
     * `reset` and `stall`: reading stops in the middle of the body. `missing_etag` and `slow`: the bytes are stored.
     * `refused` and `expired`: not a byte is read.
     */
    how: z.enum(['reset', 'stall', 'refused', 'missing_etag', 'expired', 'slow']),
    delay_ms: z.number().min(0).default(0),
  }),
  /** A delivery of an event fails. It has no operation. */
  defineFault('webhook', {
    /** `late`: after `late_sec`, so that the next ones overtake it. */
    how: z.enum(['lost', 'twice', 'late']),
    late_sec: seconds.default(30),
  }),
]);

export type Fault = z.output<typeof faultShape>;

export type FaultInput = z.input<typeof faultShape>;

/** A fault of the world, and how often it matched and applied. */
export const armedFaultShape = z.strictObject({ fault: faultShape, seen: z.int(), struck: z.int() });

interface ArmedFault extends z.infer<typeof armedFaultShape> {}

/** Members of a fault that select what it applies to. Absent: everything. */
const SELECTORS: readonly string[] = ['operation', 'account_id', 'part'];

/** The faults of a call, put or delivery, in their order. Every match counts, so that `nth` is exact. */
export function matchFaults(
  { faults }: { readonly faults: readonly ArmedFault[] },
  of: 'call' | 'storage' | 'webhook',
  target: Readonly<Record<string, unknown>>,
): Fault[] {
  return faults.flatMap((armed) => {
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

export function findFault<Kind extends Fault['kind']>(faults: readonly Fault[], kind: Kind) {
  return faults.find((fault): fault is Extract<Fault, { kind: Kind }> => fault.kind === kind);
}
