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
