const CLOSED = 'the other side closed the connection';
const SILENT = 'the server did not answer';
const UNREACHABLE = 'the network does not reach the server';

/** What went wrong on the way to a server, by the code of the system or of the HTTP client. Errors of TLS have words of their own. */
const PROBLEMS: ReadonlyMap<unknown, string> = new Map(
  Object.entries({
    ENOTFOUND: 'the host name was not found',
    EAI_AGAIN: 'the host name could not be looked up',
    ECONNREFUSED: 'the server refused the connection',
    ETIMEDOUT: SILENT,
    UND_ERR_CONNECT_TIMEOUT: SILENT,
    EHOSTUNREACH: UNREACHABLE,
    ENETUNREACH: UNREACHABLE,
    ECONNRESET: CLOSED,
    EPIPE: CLOSED,
    UND_ERR_SOCKET: CLOSED,
  }),
);

/** Why a server could not be reached, with the system's message, which names the code and the place; null if it is not known. */
export function networkProblem(error: Error): string | null {
  const code = 'code' in error ? error.code : undefined;
  const words = PROBLEMS.get(code);
  return words === undefined ? null : `${words} (${error.message === '' ? String(code) : error.message})`;
}
