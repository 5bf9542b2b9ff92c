const PROBLEMS: Readonly<Record<string, string>> = {
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

/** Node's own text for a system error: `EIO: i/o error, read`. */
const SYSTEM_ERROR = /^[A-Z0-9]+: ([^,]+)(, .*)?$/s;

/** Why a file could not be read or written, as the end of a sentence, without Node's codes. */
export function fileProblem(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = PROBLEMS[code];
  if (known !== undefined) return known;
  const text = error instanceof Error ? error.message : String(error);
  return SYSTEM_ERROR.exec(text)?.[1] ?? text;
}
