const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  ENOTDIR: 'the file does not exist: a part of its path is not a directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EEXIST: 'a file with this name exists',
  EISDIR: 'it is a directory, not a file',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  EMFILE: 'this process has too many files open',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
  ENFILE: 'this machine has too many files open',
};

/** Why a file could not be read or written, as the end of a sentence, without Node's codes. */
export function fileProblem(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = FILE_PROBLEMS[code];
  if (known !== undefined) return known;
  const text = error instanceof Error ? error.message : String(error);
  // Node's own text for a system error: `EIO: i/o error, read`.
  return /^[A-Z0-9]+: ([^,]+)(, .*)?$/s.exec(text)?.[1] ?? text;
}

const CLOSED = 'the other side closed the connection';
const SILENT = 'the server did not answer';
const UNREACHABLE = 'the network does not reach the server';

/** What went wrong on the way to a server, by the code of the system or of the HTTP client. Errors of TLS have words of their own. */
const NETWORK_PROBLEMS: ReadonlyMap<unknown, string> = new Map(
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
  const words = NETWORK_PROBLEMS.get(code);
  return words === undefined ? null : `${words} (${error.message === '' ? String(code) : error.message})`;
}
