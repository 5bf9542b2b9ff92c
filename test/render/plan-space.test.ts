import { expect, test } from 'vitest';
import { renderPlanMarkdown } from '../../src/render/plan-markdown.ts';
import { aChange, aPlan } from '../helpers/plan-builders.ts';

const LIMIT = 12_000;
const WHOLE = 'The whole plan is in the artifact.';

const named = (name: string) => ({ account: 'alice', kind: 'campaign', name }) as const;

/** A few creates among pauses of which each has its own words. */
function aLongPlan(creates: number) {
  return aPlan([
    ...Array.from({ length: creates }, (_, index) =>
      aChange({ ...named(`New ${index}`), action: 'create', reasons: ['not live yet'] }),
    ),
    ...Array.from({ length: 300 }, (_, index) =>
      aChange({
        ...named(`Old ${index}`),
        action: 'pause',
        reasons: [`reason number ${index} of many`],
      }),
    ),
  ]);
}

test('a plan that is too long for its space keeps its creates', () => {
  const markdown = renderPlanMarkdown(aLongPlan(5), { limit: LIMIT, whole: WHOLE });
  expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(LIMIT);
  expect(markdown.match(/<code>New \d/g)).toHaveLength(5);
  expect(markdown).not.toContain('Old 299');
  expect(markdown).toMatch(/Left out to fit: \d+ resources\. The whole plan is in the artifact\./);
});

test('creates that do not fit are counted', () => {
  const markdown = renderPlanMarkdown(aLongPlan(400), { limit: LIMIT, whole: WHOLE, expand: true });
  expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(LIMIT);
  expect(markdown).toContain('400 to create');
  expect(markdown).not.toContain('Old ');
  expect(markdown).toContain(WHOLE);
});
