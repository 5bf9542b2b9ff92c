/** What is wrong with the place that keeps the shared state, as a stable word. */
export type StateErrorCode =
  | 'state-url'
  | 'state-unreachable'
  | 'state-refused'
  | 'state-missing'
  | 'state-newer'
  | 'state-read-only'
  | 'state-failed';

/** The shared state cannot be used. The message never contains the password of its address. */
export class StateError extends Error {
  override readonly name = 'StateError';
  readonly code: StateErrorCode;
  /** What to do next, as a sentence or a command. */
  readonly next: string;

  constructor(code: StateErrorCode, message: string, next: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.next = next;
  }
}
