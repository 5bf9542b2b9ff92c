import { describe, expect, it } from 'vitest';
import { putBackVariables } from '../../src/import/sources.ts';
import { writtenText } from '../../src/import/write-resource.ts';
import { fillVariables } from '../../src/workspace/variables.ts';
import { fc } from '../helpers/properties.ts';

it('a text is written with braces that are not variables', () => {
  const variables = new Map([['x', 'never']]);
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('{', '{{', '}}', '\\', 'x', ' '), { maxLength: 8 }).map((all) => all.join('')),
      (text) => {
        expect(fillVariables(writtenText(text), variables)).toEqual({ text, problems: [] });
      },
    ),
  );
});

describe('variables put back into a live text', () => {
  const variables = new Map([
    ['first', 'Ann'],
    ['full', 'Ann Lee'],
  ]);

  it('stand where their values do, the longest first', () => {
    expect(putBackVariables('{{first}} and {{ full }}', 'Hi Ann Lee, dear Ann', variables)).toBe(
      'Hi {{full}}, dear {{first}}',
    );
  });

  it('are only those that the text used before', () => {
    expect(putBackVariables('Hi', 'Hi Ann', variables)).toBe('Hi Ann');
  });

  it('fill in to the live text again', () => {
    const pieces = fc.array(fc.constantFrom('Ann', 'Ann Lee', ' ', '\\', '{{', 'x'), { maxLength: 8 });
    fc.assert(
      fc.property(pieces, (parts) => {
        const live = parts.join('');
        const written = putBackVariables('{{first}} {{full}}', writtenText(live), variables);
        expect(fillVariables(written, variables)).toEqual({ text: live, problems: [] });
      }),
    );
  });
});
