import { expect, it } from 'vitest';
import { describeText } from '../../src/import/from-live.ts';
import { putBackVariables } from '../../src/import/update.ts';
import { fc } from '../helpers/properties.ts';
import { fillVariables } from '../../src/workspace/expand.ts';

const variables = new Map([
  ['first', 'Ann'],
  ['full', 'Ann Lee'],
]);

it('puts the variables of a text back, the longest value first', () => {
  expect(putBackVariables('{{first}} and {{ full }}', 'Hi Ann Lee, dear Ann', variables)).toBe(
    'Hi {{full}}, dear {{first}}',
  );
  expect(putBackVariables('Hi', 'Hi Ann', variables)).toBe('Hi Ann');
});

it('fills in to the live text again, whatever braces it has', () => {
  const pieces = fc.array(fc.constantFrom('Ann', 'Ann Lee', ' ', '\\', '{', '{{', '}}', 'x'), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(pieces, (parts) => {
      const live = parts.join('');
      const written = putBackVariables('{{first}} {{full}}', describeText(live), variables);
      const problems: unknown[] = [];
      const text = fillVariables(written, 'ann', variables, (problem) => problems.push(problem));
      expect({ text, problems }).toEqual({ text: live, problems: [] });
    }),
  );
});
