import { describe, expect, it } from 'vitest';
import { marksOf, withBlock } from '../../../src/ci/init/marked.ts';

const MARKS = marksOf('');
const FILE = 'mine: 1\n# herald:begin\nold: 1\n# herald:end\nmine: 2\n';

describe('a file of CI', () => {
  it('is the block between its marks if there was none', () => {
    expect(withBlock(null, 'a: 1\nb: 2\n', MARKS)).toEqual({
      kind: 'text',
      text: '# herald:begin\na: 1\nb: 2\n# herald:end\n',
    });
  });

  it('keeps the lines above and below the marks', () => {
    expect(withBlock(FILE, 'new: 1\n', MARKS)).toEqual({
      kind: 'text',
      text: 'mine: 1\n# herald:begin\nnew: 1\n# herald:end\nmine: 2\n',
    });
  });

  it('does not change when it is written again', () => {
    const once = withBlock(FILE, 'new: 1\n', MARKS);
    expect(once.kind === 'text' && withBlock(once.text, 'new: 1\n', MARKS)).toEqual(once);
  });

  it('keeps the line ends of Windows', () => {
    const file = withBlock(FILE.replaceAll('\n', '\r\n'), 'new: 1\nmore: 2\n', MARKS);
    expect(file).toMatchObject({
      text: 'mine: 1\r\n# herald:begin\r\nnew: 1\r\nmore: 2\r\n# herald:end\r\nmine: 2\r\n',
    });
  });

  it('leaves the block of another workspace alone', () => {
    const both = `${FILE}# herald:begin ads/eu\neu: 1\n# herald:end ads/eu\n`;
    expect(withBlock(both, 'new: 1', MARKS)).toMatchObject({
      text: both.replace('old: 1', 'new: 1'),
    });
    expect(withBlock(both, 'new: 1', marksOf('ads/eu'))).toMatchObject({
      text: both.replace('eu: 1', 'new: 1'),
    });
  });

  it.each([
    ['has no marks', 'mine: 1\n', /does not have both/],
    ['is empty', '', /does not have both/],
    ['has no end', '# herald:begin\nmine: 1\n', /does not have both/],
    ['has no beginning', 'mine: 1\n# herald:end\n', /does not have both/],
    ['has only the marks of another workspace', '# herald:begin eu\n# herald:end eu\n', /does not have both/],
    ['has two blocks', `${FILE}${FILE}`, /more than once/],
    ['ends before it begins', '# herald:end\nmine: 1\n# herald:begin\n', /above/],
    ['has a mark within a line', 'mine: "# herald:begin"\n# herald:end\n', /does not have both/],
  ])('is refused if it %s', (_title, existing, reason) => {
    expect(withBlock(existing, 'new: 1', MARKS)).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(reason),
    });
  });
});
