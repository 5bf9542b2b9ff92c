import { relative } from 'node:path';
import { globSync } from 'tinyglobby';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { LONGEST } from './projects.ts';

/**
 * Begins with the tests that take longest: at the end, one of these would leave the other cores without work. Without it, a
 * machine that has run none of them yet goes by their size. The fast ones come next.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const longest = globSync(LONGEST);
    const turnOf = ({ moduleId, project }: TestSpecification): number => {
      if (longest.includes(relative('.', moduleId))) return 0;
      return project.name === 'fast' ? 1 : 2;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((left, right) => turnOf(left) - turnOf(right));
  }
}
