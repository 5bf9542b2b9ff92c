import { expect, test } from 'vitest';
import { renderPlanMarkdown } from '../../src/render/plan-markdown.ts';
import { renderPlanText } from '../../src/render/plan-text.ts';
import { aChange, aPlan } from '../helpers/plan-builders.ts';

const TEXT = { colour: false, width: 80, title: 'plan' } as const;

const owned = (name: string, index = 0) =>
  aChange({ action: 'unmanaged', name, needs: ['prune'], live_id: `${index}` });
const theirs = aChange({ action: 'unmanaged', name: 'Theirs', live_id: '8' });

test('what a prune would retire stands apart from what is someone else’s, in text', () => {
  expect(renderPlanText(aPlan([owned('Old'), theirs]), TEXT)).toBe(
    `Service: https://api.example (from herald.yaml)

alice · campaigns
  · unmanaged, created by Herald; --allow prune stops them:
    "Old" (0)
  · unmanaged:
    "Theirs" (8)

No changes: 0 resources match; 2 unmanaged.
`,
  );
});

test('each of them is named, also when there are many', () => {
  const many = Array.from({ length: 150 }, (_, index) => owned(`C${index}`, index));
  expect(renderPlanText(aPlan(many), TEXT)).toContain('"C149"');
});

test('a comment names them, and no one else’s', () => {
  const document = renderPlanMarkdown(aPlan([owned('Old'), theirs]));
  expect(document).toContain(
    '#### Unmanaged, created by Herald; `--allow prune` stops them (1)\n\n- campaign <code>Old</code> (0) on <code>alice</code>\n',
  );
  expect(document).not.toContain('Theirs');
});

test('a comment without space for all names counts the rest', () => {
  const many = Array.from({ length: 2000 }, (_, index) => owned(`A long name of a campaign ${index}`, index));
  const document = renderPlanMarkdown(aPlan(many));
  expect(document).toContain('`--allow prune` stops them (2000)');
  expect(document).toMatch(/Left out to fit: \d+ resources\. Run `herald plan`/);
  expect(Buffer.byteLength(document)).toBeLessThan(65_535);
});
