import * as z from 'zod';

/**
 * The moment at which a connection fails, and how much has arrived by then:
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
export const CONNECTION_MOMENTS = [
  'resolve',
  'connect',
  'tls',
  'before_request',
  'within_request',
  'after_request',
  'answer_head',
  'answer_body',
] as const;
export type ConnectionMoment = (typeof CONNECTION_MOMENTS)[number];

/** The errors that Node and undici report at each moment: the system call, if any, and the code. */
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
} as const satisfies Record<ConnectionMoment, readonly string[]>;

/** How a connection fails. */
export const connectionFaultMembers = {
  kind: z.literal('connection'),
  moment: z.enum(CONNECTION_MOMENTS),
  /** For example `read EHOSTUNREACH` or `UND_ERR_SOCKET`. Absent: the first error of the moment. */
  error: z
    .string()
    .regex(/^([a-z]+ )?[A-Z_]+$/)
    .optional(),
  /** When a request that arrived is executed. A number means that many virtual seconds later. */
  carried_out: z.union([z.enum(['at_once', 'never']), z.number().min(0)]).default('at_once'),
};
const connectionFaultShape = z.strictObject(connectionFaultMembers);
export type ConnectionFault = z.output<typeof connectionFaultShape>;

const NOTHING_ARRIVED: readonly ConnectionMoment[] = [
  'resolve',
  'connect',
  'tls',
  'before_request',
  'within_request',
];

/** When the request is executed: `at_once`, `never`, or a number of seconds later. */
export function carriedOut({ moment, carried_out }: ConnectionFault): ConnectionFault['carried_out'] {
  if (NOTHING_ARRIVED.includes(moment)) return 'never';
  return moment === 'after_request' ? carried_out : 'at_once';
}

/** The error of the socket, as Node reports it. */
export function socketError({ moment, error }: ConnectionFault): Error {
  const text = error ?? CONNECTION_ERRORS[moment][0];
  const [call, system] = text.split(' ');
  if (system !== undefined) return Object.assign(new Error(text), { code: system, syscall: call });
  return Object.assign(new Error(MESSAGES[text] ?? text), { code: text });
}

const MESSAGES: Readonly<Record<string, string>> = {
  UND_ERR_SOCKET: 'other side closed',
  UND_ERR_CONNECT_TIMEOUT: 'Connect Timeout Error',
  CERT_HAS_EXPIRED: 'certificate has expired',
  ECONNRESET: 'Client network socket disconnected before secure TLS connection was established',
};
