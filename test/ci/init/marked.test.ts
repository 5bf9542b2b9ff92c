import { describe, expect, it } from 'vitest';
import { aCi, writeCi } from './variants.ts';

const written = (existing: string | null, folder = '') => writeCi('gitlab', aCi({ folder }), existing);
const NEW = await written(null);
const FILE = 'mine: 1\n# herald:begin\nold: 1\n# herald:end\nmine: 2\n';

describe('a file of CI', () => {
  it('is the block between its marks if there was none', () => {
    const [begin, end] = ['# herald:begin', '# herald:end'];
    expect(NEW.startsWith(`${begin}\n`) && NEW.endsWith(`\n${end}\n`)).toBe(true);
  });

  it('keeps the lines above and below the marks, and does not change when it is written again', async () => {
    const once = await written(FILE);
    expect(once).toBe(`mine: 1\n${NEW}mine: 2\n`);
    expect(await written(once)).toBe(once);
  });

  it('keeps the line ends of Windows', async () => {
    expect(await written(FILE.replaceAll('\n', '\r\n'))).toBe(
      `mine: 1\n${NEW}mine: 2\n`.replaceAll('\n', '\r\n'),
    );
  });

  it('leaves the block of another workspace alone', async () => {
    const eu = '# herald:begin ads/eu\neu: 1\n# herald:end ads/eu\n';
    expect(await written(FILE + eu)).toBe(`mine: 1\n${NEW}mine: 2\n${eu}`);
    expect(await written(FILE + eu, 'ads/eu')).toBe(FILE + (await written(null, 'ads/eu')));
  });

  it.each([
    ['has no marks', 'mine: 1\n'],
    ['is empty', ''],
    ['has no end', '# herald:begin\nmine: 1\n'],
    ['has no beginning', 'mine: 1\n# herald:end\n'],
    ['has only the marks of another workspace', '# herald:begin eu\n# herald:end eu\n'],
    ['has two blocks', `${FILE}${FILE}`],
    ['ends before it begins', '# herald:end\nmine: 1\n# herald:begin\n'],
    ['has a mark within a line', 'mine: "# herald:begin"\n# herald:end\n'],
  ])('is refused if it %s', async (_title, existing) => {
    await expect(written(existing)).rejects.toMatchObject({ code: 'files-exist' });
  });
});
