import type { Clock } from '../domain/ports.ts';
import type { Body } from './body.ts';
import { BUG_CODE, problemOf, readErrorBody, type Problem } from './errors.ts';
import {
  classifyStatus,
  deepestMessage,
  retryAfterMs,
  wasBugBeforeSending,
  wasNeverSent,
  wasTooLateToLeave,
  type Exchange,
} from './exchange.ts';
import {
  BUG_HINT,
  hintFor,
  LEFT_TOO_LATE_HINT,
  NO_CONNECTION_HINT,
  silenceHint,
  unreadableHint,
} from './hints.ts';
import { parseJson } from './json.ts';
import type { ApiKey } from './key.ts';
import type { BuiltCall } from './built-call.ts';

/** A request that was sent, with the data to tell how it ended. */
export interface SentCall {
  readonly call: BuiltCall;
  readonly key: ApiKey;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly sentAtMs: number;
}

type Unsuccessful = Exclude<Exchange<unknown>, { readonly kind: 'done' }>;

/** Reads an answer after its status. A cut body does not change the meaning of the status. */
export function understandAnswer(sent: SentCall, response: Response, body: Body): Exchange<unknown> {
  const { sentAtMs } = sent;
  switch (classifyStatus(response.status)) {
    case 'throttled': {
      const date = Date.parse(response.headers.get('date') ?? '');
      const nowMs = Number.isNaN(date) ? sent.clock.now() : date;
      const waitMs = retryAfterMs(response.headers.get('retry-after'), nowMs);
      return {
        kind: 'throttled',
        problem: answeredProblem(sent, response.status, body),
        sentAtMs,
        retryAfterMs: waitMs,
      };
    }
    case 'refused':
      return { kind: 'refused', problem: answeredProblem(sent, response.status, body), sentAtMs };
    case 'unconfirmed':
      return {
        kind: 'unknown',
        problem: answeredProblem(sent, response.status, body),
        sentAtMs,
        timedOut: false,
      };
    case 'success':
      return understandSuccess(sent, response.status, body);
  }
}

/** The meaning of an exchange without an answer: not sent, or sent and lost. */
export function understandSilence(sent: SentCall, error: unknown, timedOut: boolean): Unsuccessful {
  const { call, key, sentAtMs } = sent;
  const problem = (what: string, hint: string) => problemOf(key, call, { what, hint });
  if (timedOut) {
    const what = `no answer in ${Math.round(sent.timeoutMs / 1000)} s`;
    return { kind: 'unknown', sentAtMs, timedOut, problem: problem(what, silenceHint(call.row)) };
  }
  const why = deepestMessage(error);
  if (wasBugBeforeSending(error)) {
    const parts = { code: BUG_CODE, what: `Herald failed to send a request: ${why}`, hint: BUG_HINT };
    return { kind: 'not_sent', withheld: false, problem: problemOf(key, call, parts) };
  }
  if (wasTooLateToLeave(error))
    return { kind: 'not_sent', withheld: false, problem: problem(why, LEFT_TOO_LATE_HINT) };
  if (wasNeverSent(error)) {
    return {
      kind: 'not_sent',
      withheld: false,
      problem: problem(`no connection: ${why}`, NO_CONNECTION_HINT),
    };
  }
  const what = `the connection broke: ${why}`;
  return { kind: 'unknown', sentAtMs, timedOut, problem: problem(what, silenceHint(call.row)) };
}

/** A 2xx counts as done only if its body is as the row promises. Otherwise the result is unknown. */
function understandSuccess(sent: SentCall, status: number, body: Body): Exchange<unknown> {
  const { call, sentAtMs } = sent;
  const shape = call.row.reply;
  if (shape === null) return { kind: 'done', reply: null, sentAtMs };
  const parsed = body.broken === null ? parsedOrUndefined(body.text) : undefined;
  const result = shape === 'binary' ? null : shape.safeParse(parsed);
  if (result?.success === true) return { kind: 'done', reply: result.data, sentAtMs, text: body.text };
  const empty = shape === 'binary' || call.row.anySuccess !== true ? null : shape.safeParse({});
  if (empty?.success === true) return { kind: 'done', reply: empty.data, sentAtMs, text: body.text };
  const first = result?.error?.issues[0];
  const place =
    first === undefined || first.path.length === 0 ? '' : ` at ${first.path.map(String).join('.')}`;
  const what =
    body.broken !== null
      ? `the body was cut off: ${body.broken.why}`
      : parsed === undefined
        ? 'the body is not valid JSON'
        : `the body is not what the document says${place}`;
  return {
    kind: 'unknown',
    sentAtMs,
    timedOut: body.broken?.timedOut ?? false,
    problem: problemOf(sent.key, call, {
      status,
      what: `answered ${status}, but ${what}`,
      hint: unreadableHint(call.row),
    }),
  };
}

function answeredProblem({ call, key }: SentCall, status: number, { text }: Body): Problem {
  const body = readErrorBody(parsedOrUndefined(text), text);
  const words = [`answered ${status}`, body.code, body.message].filter((word) => word !== null).join(': ');
  const hint = hintFor(call.operation, call.row, status, body);
  return problemOf(key, call, { status, code: body.code, what: words, hint, details: body.details });
}

function parsedOrUndefined(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
