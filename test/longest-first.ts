import { relative } from 'node:path';
import { globSync } from 'tinyglobby';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { DRAW_PAGES, LONGEST } from './projects.ts';

/**
 * Begins with the tests that take longest, and with those that start a worker for each file: at the end, one of these
 * would leave the other cores without work. Without it, a machine that has run none of them yet goes by their size.
 * Fast tests that draw pages come after the other fast ones.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const [longest, pages] = [globSync(LONGEST), globSync(DRAW_PAGES)];
    const turnOf = ({ moduleId, project }: TestSpecification): number => {
      const path = relative('.', moduleId);
      if (project.config.isolate || longest.includes(path)) return 0;
      if (project.name !== 'fast') return 3;
      return pages.includes(path) ? 2 : 1;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((left, right) => turnOf(left) - turnOf(right));
  }
}
