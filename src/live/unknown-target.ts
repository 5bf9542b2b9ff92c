/** What `--account` said could not be understood; one sentence each. */
export class UnknownTargetError extends Error {
  override readonly name = 'UnknownTargetError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join(' '));
    this.problems = problems;
  }
}
