import { expect, it } from 'vitest';
import { describeText } from '../../src/import/from-live.ts';
import { putBackVariables } from '../../src/import/update.ts';
import { fc } from '../helpers/properties.ts';
import { CAMPAIGN_WITH, declaredIn, WORKSPACE } from '../workspace/declare.ts';

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

it.each([
  ['Only 10 dollars. 10 years online, since 2010!', 'Only 10 dollars. 10 years online, since 2010!'],
  ['Now 10 dollars, since 2010', 'Now {{price}} dollars, since 2010'],
])('puts a variable back only where it is clear that the file had it: %s', (live, text) => {
  expect(putBackVariables('Only {{price}} dollars', live, new Map([['price', '10']]))).toBe(text);
});

it('fills in to the live text again, whatever braces it has', async () => {
  const workspace = WORKSPACE.replace('first_name: Alice', 'first: Ann, full: Ann Lee');
  const pieces = fc.array(fc.constantFrom('Ann', 'Ann Lee', ' ', '\\', '{', '{{', '}}', 'x'), {
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(pieces, async (parts) => {
      const live = `Hi ${parts.join('')}`;
      const written = putBackVariables('{{first}} {{full}}', describeText(live), variables);
      const text = CAMPAIGN_WITH.message(`text: ${JSON.stringify(written)}`);
      const [declared] = await declaredIn({ 'herald.yaml': workspace, 'campaigns/a.yaml': text });
      expect(declared?.content.messages).toEqual([{ text: live }]);
    }),
  );
});
