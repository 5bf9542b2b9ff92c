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
import { AVOIDED, AVOIDED_IN_PAGES, findAvoided } from './helpers/plain-words.ts';

const MEAN_WORDS_MAX = 17;
const SENTENCE_WORDS_MAX = 30;
const README_LINES_MAX = 150;
const PAGE_LINES_MAX = 250;

const GLOSSARY = 'docs/glossary.md';

const PAGES = [...documentationPages(), ...projectPages()];
/** The record of past releases has no limit of lines. */
const WITHOUT_LIMIT = ['CHANGELOG.md'];

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

/**
 * Avoided phrases that are still in each folder of src/. The numbers only fall: a change that removes phrases lowers
 * its number. A folder that is moved keeps to the sum.
 */
const LEFT_IN_SRC: Readonly<Record<string, number>> = {
  '.': 0,
  api: 0,
  apply: 76,
  cli: 0,
  domain: 0,
  host: 0,
  import: 0,
  ledger: 0,
  live: 0,
  operations: 0,
  plan: 102,
  policy: 0,
  reconcile: 0,
  render: 0,
  requests: 0,
  simulator: 0,
  workspace: 0,
};

describe('the source', () => {
  it('has no more avoided words than before', () => {
    const found = phrasesInSource();
    const grown = [...found].filter(([folder, lines]) => lines.length > (LEFT_IN_SRC[folder] ?? Infinity));
    expect(Object.fromEntries(grown)).toEqual({});
    const sum = [...found.values()].reduce((total, lines) => total + lines.length, 0);
    const allowed = Object.values(LEFT_IN_SRC).reduce((total, count) => total + count, 0);
    expect(sum, `avoided phrases by folder: ${countsOf(found)}`).toBeLessThanOrEqual(allowed);
  });
});

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

function phrasesInSource(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const file of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const folder = file.includes('/') ? (file.split('/')[0] ?? '') : '.';
    const lines = findAvoided(readFileSync(join('src', file), 'utf8'), AVOIDED);
    for (const { line, phrase } of lines)
      found.set(folder, [...(found.get(folder) ?? []), `${file}:${line}: "${phrase}"`]);
  }
  return found;
}

function countsOf(found: ReadonlyMap<string, readonly string[]>): string {
  return [...found]
    .map(([folder, lines]) => `${folder} ${lines.length}`)
    .toSorted()
    .join(', ');
}
