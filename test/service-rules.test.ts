import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Where ids are cited. `docs/service` defines them and may cite them, too. */
const CITING = ['src', 'test', 'bench', 'scripts', 'docs'];
const CODE = /\.(?:ts|js|md)$/;
const PAGE = /^docs\/service\/(?!README\.md$)/;
const THIS_FILE = 'test/service-rules.test.ts';

const FILES: readonly string[] = [
  ...CITING.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
      (path) => `${folder}/${path.replaceAll('\\', '/')}`,
    ),
  ),
  ...readdirSync('.').filter((file) => file.endsWith('.md')),
].filter((file) => CODE.test(file) && file !== THIS_FILE);

const TEXTS: ReadonlyMap<string, string> = new Map(FILES.map((file) => [file, readFileSync(file, 'utf8')]));

const RULES = [...TEXTS]
  .filter(([file]) => PAGE.test(file))
  .flatMap(([page, text]) =>
    text.split(/^#+ /m).flatMap((part) => {
      const id = /^([A-Z]+-\d+)\n/.exec(part)?.[1];
      return id === undefined ? [] : [{ id, page, text: part }];
    }),
  );

const PREFIXES = [...new Set(RULES.map(({ id }) => id.replace(/-\d+$/, '')))];

function idsIn(text: string): readonly string[] {
  return text.match(new RegExp(`\\b(?:${PREFIXES.join('|')})-\\d+\\b`, 'g')) ?? [];
}

function commentsOf(text: string): readonly string[] {
  return text.match(/\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+|\/\/.*$/gm) ?? [];
}

describe('the rules of the service', () => {
  it('are there', () => {
    expect(RULES.length).toBeGreaterThan(100);
  });

  it('have an id each, numbered without a gap on one page', () => {
    for (const prefix of PREFIXES) {
      const rules = RULES.filter(({ id }) => id.startsWith(`${prefix}-`));
      expect(new Set(rules.map(({ page }) => page)).size, `${prefix} is on one page`).toBe(1);
      expect(rules.map(({ id }) => id)).toEqual(rules.map((_, index) => `${prefix}-${index + 1}`));
    }
  });

  it('are in the index, page by page', () => {
    const index = TEXTS.get('docs/service/README.md') ?? '';
    const missing = RULES.filter(({ id, page }) => {
      const row = index.split('\n').find((line) => line.includes(`(${page.replace('docs/service/', '')})`));
      return row?.includes(`\`${id.replace(/-\d+$/, '')}\``) !== true;
    });
    expect(missing.map(({ id }) => id)).toEqual([]);
  });

  it('exist where they are cited', () => {
    const known = new Set(RULES.map(({ id }) => id));
    const unknown = [...TEXTS].flatMap(([file, text]) =>
      idsIn(text)
        .filter((id) => !known.has(id))
        .map((id) => `${file}: ${id}`),
    );
    expect(unknown, 'cited, and not in docs/service').toEqual([]);
  });

  it('are cited by every comment that assumes something', () => {
    const without = [...TEXTS]
      .filter(([file]) => file.startsWith('src/'))
      .flatMap(([file, text]) =>
        commentsOf(text)
          .filter((comment) => /\bAssumed\b/.test(comment) && idsIn(comment).length === 0)
          .map((comment) => `${file}: ${comment.trim()}`),
      );
    expect(without, 'each guess is an **Open:** mark of a rule').toEqual([]);
  });

  it('are checked by a test each, where they have a consequence', () => {
    const cited = new Set(
      [...TEXTS].filter(([file]) => file.startsWith('test/')).flatMap(([, text]) => idsIn(text)),
    );
    const unchecked = RULES.filter(({ id, text }) => text.includes('**Herald:**') && !cited.has(id));
    expect(
      unchecked.map(({ id }) => id),
      'no test cites these rules',
    ).toEqual([]);
  });
});
