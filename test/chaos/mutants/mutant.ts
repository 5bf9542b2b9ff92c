/** A small fault put into the product, to see whether the chaos run finds it. */
export interface Mutant {
  readonly name: string;
  /** The rule that it breaks. */
  readonly protects: string;
  /** From the root of the repository. */
  readonly file: string;
  /** Text that is in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  /** The test that must find it in place of the chaos run, for a rule that no chaos run can show. */
  readonly test?: TestOfMutant;
}

export interface TestOfMutant {
  /** From the root of the repository. */
  readonly file: string;
  /** A part of its name. */
  readonly name: string;
}

/** The text of the mutant's file with the fault in it; an error where the file has changed too much for it. */
export function withFault({ name, file, find, replace }: Mutant, source: string): string {
  const times = source.split(find).length - 1;
  if (times !== 1)
    throw new Error(
      `The mutant "${name}" no longer applies: its text is ${times} times in ${file}. Change its "find" in test/chaos/mutants so that it breaks the same rule there.`,
    );
  return source.replace(find, () => replace);
}
