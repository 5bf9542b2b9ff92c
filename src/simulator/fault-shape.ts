import * as z from 'zod';
import { isOperation, type Operation } from '../api/catalogue.ts';
import { dataSettingsShape } from './data.ts';
import { editShape, seedShape } from './seed-shape.ts';

/** Ways to lose or damage an answer (docs/service/faults.md). */
export const BREAKAGES = ['timeout', 'reset', '500', '502', 'truncated', 'unreadable'] as const;
export type Breakage = (typeof BREAKAGES)[number];

/**
 * The moment at which a connection fails, how much has arrived by then, and the errors that Node and undici report:
 * the system call, if any, and the code.
 *
 * | moment         | the request                                          | the answer               |
 * |----------------|------------------------------------------------------|--------------------------|
 * | resolve        | not sent: the name has no address                    |                          |
 * | connect        | not sent: no connection                              |                          |
 * | tls            | not sent: the TLS handshake failed                   |                          |
 * | before_request | nothing arrived: the kept connection was closed      |                          |
 * | within_request | half of it arrived, so it is not executed            |                          |
 * | after_request  | arrived; `carried_out` tells when it is executed     | none                     |
 * | answer_head    | executed                                             | cut off in its headers   |
 * | answer_body    | executed                                             | cut off in its body      |
 */
export const CONNECTION_ERRORS = {
  resolve: ['getaddrinfo ENOTFOUND', 'getaddrinfo EAI_AGAIN'],
  connect: [
    'connect ECONNREFUSED',
    'connect EHOSTUNREACH',
    'connect ENETUNREACH',
    'connect EADDRNOTAVAIL',
    'connect ETIMEDOUT',
    'UND_ERR_CONNECT_TIMEOUT',
  ],
  tls: ['CERT_HAS_EXPIRED', 'SELF_SIGNED_CERT_IN_CHAIN', 'ERR_TLS_CERT_ALTNAME_INVALID', 'ECONNRESET'],
  before_request: ['write EPIPE', 'read ECONNRESET', 'UND_ERR_SOCKET'],
  within_request: ['write EPIPE', 'write ECONNRESET', 'write EHOSTUNREACH'],
  after_request: [
    'read ECONNRESET',
    'read EHOSTUNREACH',
    'read ENETUNREACH',
    'read ETIMEDOUT',
    'write EPIPE',
    'UND_ERR_SOCKET',
  ],
  answer_head: ['read ECONNRESET', 'read EHOSTUNREACH', 'UND_ERR_SOCKET', 'HPE_INVALID_CONSTANT'],
  answer_body: ['read ECONNRESET', 'read EHOSTUNREACH', 'read ENETUNREACH', 'UND_ERR_SOCKET'],
} as const;
export type ConnectionMoment = keyof typeof CONNECTION_ERRORS;
export const CONNECTION_MOMENTS = Object.keys(CONNECTION_ERRORS) as ConnectionMoment[];

const seconds = z.number().min(0);

const selection = {
  /** Absent: calls of every operation. */
  operation: z
    .custom<Operation>((value) => typeof value === 'string' && isOperation(value), 'not an operation')
    .optional(),
  method: z.enum(['GET', 'POST', 'PATCH']).optional(),
  account_id: z.string().optional(),
  /** The first matching call with the fault, from 1. Absent: every matching call. */
  nth: z.int().min(1).optional(),
  /** The number of calls with the fault. Default: one with `nth`, else all. */
  times: z.int().min(1).optional(),
  /** Absent: always. Drawn from the world's seed. */
  probability: z.number().min(0).max(1).optional(),
};

const defineFault = <Kind extends string, Members extends z.core.$ZodLooseShape = object>(
  kind: Kind,
  members: Members,
) => z.strictObject({ ...selection, kind: z.literal(kind), ...members });

/** One fault of the service or the connection, and the calls that have it. */
export const faultShape = z.discriminatedUnion('kind', [
  defineFault('broken_answer', { when: z.enum(['before_commit', 'after_commit']), how: z.enum(BREAKAGES) }),
  /** The answer is lost, and the request is executed `after_sec` virtual seconds later. */
  defineFault('late_commit', { after_sec: seconds, how: z.enum(BREAKAGES).default('timeout') }),
  /** Half of a status change: the campaign has its new status, its queue stays, and the answer is a 502. */
  defineFault('partial_commit', {}),
  /** Executed at once, answered after `delay_ms`. */
  defineFault('slow', { delay_ms: z.number().min(0) }),
  defineFault('throttle', { retry_after_sec: seconds.optional() }),
  /** Refused with this status, and not executed. */
  defineFault('refusal', { status: z.int().min(400).max(499) }),
  defineFault('connection_refused', {}),
  /** The connection fails at a given moment. */
  defineFault('connection', {
    moment: z.enum(CONNECTION_MOMENTS),
    /** For example `read EHOSTUNREACH` or `UND_ERR_SOCKET`. Absent: the first error of the moment. */
    error: z
      .string()
      .regex(/^([a-z]+ )?[A-Z_]+$/)
      .optional(),
    /** When a request that arrived is executed. A number means that many virtual seconds later. */
    carried_out: z.union([z.enum(['at_once', 'never']), seconds]).default('at_once'),
  }),
  /** The server's clock is wrong: its `Date` is off by this, regardless of the mode. */
  defineFault('wrong_date', { skew_sec: z.number() }),
  /** An empty page, although `has_more` or the cursor says that rows follow. */
  defineFault('empty_page', {}),
  /** The page before this one again, or the requested cursor as the next one. */
  defineFault('repeated_page', {}),
  defineFault('missing_has_more', {}),
  /** `has_more` is present, but is not a boolean. */
  defineFault('odd_has_more', { value: z.unknown() }),
  /** A call with a cursor is refused; a call without one is answered. */
  defineFault('expired_cursor', {}),
  /** Changes live state just before the call, so that items shift between two pages. */
  defineFault('change_before', {
    edit: editShape.optional(),
    seed: seedShape.optional(),
    data: dataSettingsShape.optional(),
  }),
  /** Lists do not show the new object for a while. With `reads`, neither does the single read. */
  defineFault('list_lag', { lag_sec: seconds, reads: z.boolean().default(false) }),
  /** Lists show the old status for a while. With `reads`, so does the single read. */
  defineFault('status_lag', { lag_sec: seconds, reads: z.boolean().default(false) }),
  /** The service rewrites the text of the new object some seconds later; with 0 seconds, at once. */
  defineFault('late_rewrite', { after_sec: seconds, from: z.string().min(1), to: z.string() }),
  /** A 2xx with replaced or added members. */
  defineFault('odd_reply', { set: z.record(z.string(), z.unknown()) }),
  /** A put to the object store fails. Operation and method have no effect here. */
  defineFault('storage', {
    /** Absent: every part, and whole objects. */
    part: z.int().optional(),
    /**
     * `reset` and `stall`: reading stops after `after_bytes`, or half of the body. `lost_answer`, `missing_etag` and
     * `slow`: the bytes are stored. `unavailable`, `refused`, `expired` and `redirect`: not a byte is read.
     */
    how: z.enum([
      'reset',
      'stall',
      'lost_answer',
      'unavailable',
      'refused',
      'missing_etag',
      'expired',
      'redirect',
      'slow',
    ]),
    after_bytes: z.int().min(0).optional(),
    delay_ms: z.number().min(0).default(0),
  }),
  /** A delivery of an event fails. Operation and method have no effect here. */
  defineFault('webhook', {
    /** Absent: every kind. */
    event: z.string().optional(),
    /** `out_of_order` is sent after the next event; `flood` with `copies` events of an unknown kind. */
    how: z.enum(['lost', 'twice', 'late', 'out_of_order', 'truncated', 'flood']),
    late_sec: seconds.default(30),
    copies: z.int().min(1).max(10_000).default(100),
  }),
]);

export type Fault = z.output<typeof faultShape>;
/** A fault as input, without its defaults. */
export type FaultInput = z.input<typeof faultShape>;
export type FaultOf<Kind extends Fault['kind']> = Extract<Fault, { kind: Kind }>;

/** A fault of the world, and how often it matched and applied. */
export const armedFaultShape = z.strictObject({ fault: faultShape, seen: z.int(), struck: z.int() });
export interface ArmedFault extends z.infer<typeof armedFaultShape> {}
