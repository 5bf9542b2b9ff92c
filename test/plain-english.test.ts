import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  documentationPages,
  projectPages,
  sentencesOf,
  wordCount,
  wordsOf,
  type Page,
} from './helpers/pages.ts';
import {
  AVOIDED,
  AVOIDED_IN_PAGES,
  AVOIDED_IN_SOURCE,
  findAvoided,
  type AvoidedPhrase,
} from './helpers/plain-words.ts';

const MEAN_WORDS_MAX = 17;
const SENTENCE_WORDS_MAX = 30;
const README_LINES_MAX = 150;
const PAGE_LINES_MAX = 250;

const GLOSSARY = 'docs/glossary.md';

const PAGES = [...documentationPages(), ...projectPages()];
/** The record of past releases and generated pages have no limit of lines. */
const WITHOUT_LIMIT = ['CHANGELOG.md', 'docs/reference/commands.md', 'docs/reference/messages-errors-a-g.md'];

describe('the pages', () => {
  it.each(PAGES)('use the words of the glossary: $path', (page) => {
    expect(wordsIn(page)).toEqual([]);
  });

  it.each(PAGES)('have short sentences: $path', (page) => {
    expect(longSentencesOf(page)).toEqual([]);
    expect(meanWordsOf(page)).toBeLessThan(MEAN_WORDS_MAX);
  });

  it.each(PAGES.filter(({ path }) => !WITHOUT_LIMIT.includes(path)))(
    'are short: $path',
    ({ path, lineCount }) => {
      expect(lineCount).toBeLessThanOrEqual(path === 'README.md' ? README_LINES_MAX : PAGE_LINES_MAX);
    },
  );
});

describe('the source', () => {
  it.each(['src', 'bench', 'scripts', 'examples'])('uses the words of the glossary: %s', (folder) => {
    expect(phrasesIn(folder, AVOIDED_IN_SOURCE)).toEqual([]);
  });
});

describe('the tests', () => {
  it('use the words of the glossary', () => {
    expect(phrasesIn('test', AVOIDED).filter((found) => !found.startsWith(WORD_LIST))).toEqual([]);
  });
});

/** The list of avoided words names each of them. */
const WORD_LIST = 'helpers/plain-words.ts';

/** In what a reader reads: sentences and tables, without code. The last column of the glossary names old words. */
function wordsIn({ path, text }: Page): readonly string[] {
  const read = wordsOf(path === GLOSSARY ? text.replace(/\|[^|\n]*\|$/gm, '|') : text);
  return findAvoided(read, AVOIDED_IN_PAGES).map(
    ({ line, phrase, instead }) => `${line}: "${phrase}" → ${instead}`,
  );
}

function longSentencesOf({ text }: Page): readonly string[] {
  return sentencesOf(text).filter((sentence) => wordCount(sentence) > SENTENCE_WORDS_MAX);
}

function meanWordsOf({ text }: Page): number {
  const sentences = sentencesOf(text);
  return sentences.reduce((sum, sentence) => sum + wordCount(sentence), 0) / sentences.length;
}

function phrasesIn(folder: string, avoided: readonly AvoidedPhrase[]): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(?:ts|js|ya?ml)$/.test(file),
  );
  return files.flatMap((file) =>
    findAvoided(readFileSync(join(folder, file), 'utf8'), avoided).map(
      ({ line, phrase, instead }) => `${file}:${line}: "${phrase}" → ${instead}`,
    ),
  );
}
