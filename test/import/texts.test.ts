import { describe, expect, it } from 'vitest';
import { fillVariables } from '../../src/workspace/variables.ts';
import { slugOf } from '../../src/import/file-names.ts';
import { belongsInTextFile, styleOf } from '../../src/import/texts.ts';
import { putBackVariables } from '../../src/import/variables-back.ts';
import { writtenText } from '../../src/import/write-messages.ts';
import { fc } from '../helpers/properties.ts';

describe('how a text is written', () => {
  it.each([
    ['Hello', 'PLAIN'],
    ['yes', 'QUOTE_SINGLE'],
    ['18:00', 'QUOTE_SINGLE'],
    ["It's", 'QUOTE_DOUBLE'],
    ['two\nlines', 'BLOCK_LITERAL'],
    ['ends with a space \nand more', 'QUOTE_DOUBLE'],
    [' begins with one\nand more', 'QUOTE_DOUBLE'],
    ['right \u202e to left', 'QUOTE_DOUBLE'],
    ['a tab\there', 'QUOTE_DOUBLE'],
  ] as const)('%j as %s', (text, style) => {
    expect(styleOf(text)).toBe(style);
  });

  it.each([
    ['a'.repeat(200), false],
    ['a'.repeat(201), true],
    [`${'a'.repeat(201)}\u0000`, false],
    [`\ufeff${'a'.repeat(201)}`, false],
  ] as const)('in a file of its own only where it is long and comes back', (text, own) => {
    expect(belongsInTextFile(text)).toBe(own);
  });

  it('with braces that are not variables', () => {
    const variables = new Map([['x', 'never']]);
    fc.assert(
      fc.property(
        fc
          .array(fc.constantFrom('{', '{{', '}}', '\\', 'x', ' '), { maxLength: 8 })
          .map((all) => all.join('')),
        (text) => {
          expect(fillVariables(writtenText(text), variables)).toEqual({ text, problems: [] });
        },
      ),
    );
  });
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

it.each([
  ['Welcome series', 'welcome-series'],
  ['Ünïcode & Co.', 'unicode-co'],
  ['😀', 'campaign'],
  ['../../etc/passwd', 'etc-passwd'],
])('makes the file name of %j', (name, slug) => {
  expect(slugOf(name, 'campaign')).toBe(slug);
});
