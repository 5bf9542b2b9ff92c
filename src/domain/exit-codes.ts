/** What a command ends with. `docs/guides/when-something-goes-wrong.md` says what each means for a script. */
export const EXIT = {
  done: 0,
  failed: 1,
  differences: 2,
  unknown: 3,
  partly: 4,
  blocked: 5,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
