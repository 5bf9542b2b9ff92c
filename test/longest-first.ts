import { relative } from 'node:path';
import { globSync } from 'tinyglobby';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { LONGEST } from './projects.ts';

/** Begins with the tests that take longest. Without it, a machine that has run none of them yet goes by their size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const longest = globSync(LONGEST);
    const isLongest = ({ moduleId }: TestSpecification) => longest.includes(relative('.', moduleId));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))];
  }
}
