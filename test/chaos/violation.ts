/**
 * | kind            | which promise was broken                                                        |
 * |-----------------|---------------------------------------------------------------------------------|
 * | duplicate       | something was made, sent, paid or uploaded twice                                |
 * | loss            | what the files declare did not come to be, or what they stop still runs         |
 * | false report    | a command said something that was not so, or left out what a person must know   |
 * | forbidden write | a request left that no one had asked for: protected, out of the run, not ours   |
 * | bug             | a stack trace, or a message that calls itself a bug                             |
 */
export const VIOLATION_KINDS = ['duplicate', 'loss', 'false report', 'forbidden write', 'bug'] as const;

/** One broken promise. */
export interface Violation {
  readonly kind: (typeof VIOLATION_KINDS)[number];
  readonly words: string;
}

export function violationsOf(kind: Violation['kind'], words: readonly string[]): readonly Violation[] {
  return words.map((each) => ({ kind, words: each }));
}
