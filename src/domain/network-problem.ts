interface SystemError {
  readonly code?: unknown;
  readonly hostname?: unknown;
  readonly address?: unknown;
  readonly port?: unknown;
}

const CLOSED = () => 'the other side closed the connection';
const UNTRUSTED = () => 'this machine does not trust the authority that issued its certificate';

/** What went wrong on the way to a server, by the code of the system, of TLS or of the HTTP client. */
const PROBLEMS: ReadonlyMap<string, (error: SystemError) => string> = new Map(
  Object.entries({
    ENOTFOUND: ({ hostname }) => `the host name ${named(hostname)} was not found`,
    EAI_AGAIN: ({ hostname }) => `the host name ${named(hostname)} could not be looked up`,
    ECONNREFUSED: (error) => `${formatPlace(error)} refused the connection`,
    ETIMEDOUT: (error) => `${formatPlace(error)} did not answer`,
    EHOSTUNREACH: (error) => `the network does not reach ${formatPlace(error)}`,
    ENETUNREACH: (error) => `the network does not reach ${formatPlace(error)}`,
    ECONNRESET: CLOSED,
    EPIPE: CLOSED,
    UND_ERR_SOCKET: CLOSED,
    UND_ERR_CONNECT_TIMEOUT: (error) => `${formatPlace(error)} did not answer`,
    CERT_HAS_EXPIRED: () => 'its certificate has expired',
    ERR_TLS_CERT_ALTNAME_INVALID: () => 'its certificate is for another host name',
    DEPTH_ZERO_SELF_SIGNED_CERT: () => 'its certificate is self-signed',
    SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  } satisfies Record<string, (error: SystemError) => string>),
);

/** Why a server could not be reached, with the code to search for; null for an error that is not known. */
export function networkProblem(error: Error): string | null {
  const failed = error as SystemError;
  const code = typeof failed.code === 'string' ? failed.code : '';
  const words = PROBLEMS.get(code);
  return words === undefined ? null : `${words(failed)} (${code})`;
}

function named(hostname: unknown): string {
  return typeof hostname === 'string' ? hostname : 'of the address';
}

function formatPlace({ address, port }: SystemError): string {
  if (typeof address !== 'string') return 'the server';
  const host = address.includes(':') ? `[${address}]` : address;
  return typeof port === 'number' ? `${host}:${port}` : host;
}
