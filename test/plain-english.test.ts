import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentationPages, projectPages, wordsOf, type Page } from './pages.ts';

/** A word or phrase that the standard for words avoids, and what to write instead. */
interface AvoidedPhrase {
  readonly pattern: RegExp;
  readonly instead: string;
}

/** Avoided everywhere: in pages, messages, help, comments and names of tests. */
const AVOIDED: readonly AvoidedPhrase[] = [
  { pattern: /\bbeside\b/gi, instead: 'next to, besides, while' },
  { pattern: /\banew\b/gi, instead: 'again' },
  { pattern: /\baloud\b/gi, instead: 'explicitly' },
  { pattern: /\bfor ever\b/gi, instead: 'permanently, never again' },
  { pattern: /\b(?:no|some)body\b/gi, instead: 'no one, someone, a person' },
  { pattern: /\bwhoever\b/gi, instead: 'the person who, anyone who' },
  { pattern: /\bwhose\b/gi, instead: 'two sentences, or "with"' },
  { pattern: /\bbears?\b|\bbore\b/gi, instead: 'has' },
  { pattern: /\bdearer\b/gi, instead: 'more expensive' },
  { pattern: /\bmend(?:s|ed|ing)?\b/gi, instead: 'fix' },
  { pattern: /\bceas(?:e|es|ed|ing)\b/gi, instead: 'stop' },
  { pattern: /\bit is not said\b|\bunless said\b|\bis said\b/gi, instead: 'say what happens by default' },
  { pattern: /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b)\w/gi, instead: 'is not a' },
  { pattern: /\b(?:is|are|was|were|waits?) for no\b/gi, instead: 'is not for, does not wait for' },
  { pattern: /\bwhere [\w ]+ (?:is|are) told\b/gi, instead: 'where … is written' },
  { pattern: /\w(?:No|Some)body(?=[A-Z\W])/g, instead: 'no one, someone' },
  { pattern: /\b(?:comes?|came) to nothing\b/gi, instead: 'fails, has no effect' },
  { pattern: /\btakes? its place\b/gi, instead: 'replaces it' },
  { pattern: /\bwhat is so already\b/gi, instead: 'no change needed' },
  { pattern: /\bpretend service\b/gi, instead: 'simulator' },
  { pattern: /\b(?:trespass|misfortune)\w*/gi, instead: 'violation' },
  { pattern: /\bunheard\b/gi, instead: 'unconfirmed' },
  { pattern: /\bextra cop(?:y|ies)\b/gi, instead: 'duplicate' },
  { pattern: /\brooms?\b/gi, instead: 'folder' },
  { pattern: /\bwalls\b/gi, instead: 'boundaries' },
];

/** Avoided in the product, and in all that people read about it. */
const AVOIDED_IN_SOURCE: readonly AvoidedPhrase[] = [
  ...AVOIDED,
  { pattern: /\bthere (?:is|are|was|were) no\b/gi, instead: 'does not exist, has no' },
];

/** Avoided in sentences for people. Code keeps such a word where it is a key, a flag or the service's own term. */
const AVOIDED_IN_PAGES: readonly AvoidedPhrase[] = [
  ...AVOIDED_IN_SOURCE,
  { pattern: /\bunsen[dt]\w*|\b(?:pull|take|took|taken)s? back\b|\bpulled back\b/gi, instead: 'recall' },
  { pattern: /\bin no file\b|\bundeclared\b/gi, instead: 'unmanaged' },
  { pattern: /\bas declared\b/gi, instead: 'unchanged' },
  { pattern: /\b(?:held|holds?) back\b/gi, instead: 'blocked' },
  { pattern: /\bdead\b/gi, instead: 'expired' },
  { pattern: /\bretir(?:e|es|ed|ing)\b/gi, instead: 'archive a duplicate, or prune' },
  { pattern: /\bsettl(?:e|es|ed|ing)\b/gi, instead: 'resolve' },
  { pattern: /\bhouse\b/gi, instead: 'agency, code base' },
  { pattern: /\bstands?\b(?!-in)/gi, instead: 'is' },
  { pattern: /(?:^|[.!?] )What (?:(?!\n\n)[^?.!])*\./gm, instead: 'a subject that is a noun' },
];

function findAvoided(text: string, avoided: readonly AvoidedPhrase[]) {
  return avoided
    .flatMap(({ pattern, instead }) =>
      [...text.matchAll(pattern)].map((match) => ({
        line: text.slice(0, match.index).split('\n').length,
        phrase: match[0],
        instead,
      })),
    )
    .toSorted((one, other) => one.line - other.line);
}

const MEAN_WORDS_MAX = 17;
const SENTENCE_WORDS_MAX = 30;
const README_LINES_MAX = 150;
const PAGE_LINES_MAX = 250;

const GLOSSARY = 'docs/glossary.md';

const PAGES = [...documentationPages(), ...projectPages()];
/** The record of past releases and generated pages have no limit of lines. */
const WITHOUT_LIMIT = ['CHANGELOG.md', 'docs/reference/commands.md', 'docs/reference/messages-errors-a-g.md'];

describe('the pages', () => {
  it('use the words of the glossary', () => {
    expect(PAGES.flatMap(wordsIn)).toEqual([]);
  });

  it('have short sentences', () => {
    expect(PAGES.flatMap(longSentencesOf)).toEqual([]);
    expect(PAGES.filter((page) => meanWordsOf(page) >= MEAN_WORDS_MAX).map(({ path }) => path)).toEqual([]);
  });

  it('are short', () => {
    const long = PAGES.filter(
      ({ path, lineCount }) =>
        !WITHOUT_LIMIT.includes(path) &&
        lineCount > (path === 'README.md' ? README_LINES_MAX : PAGE_LINES_MAX),
    );
    expect(long.map(({ path }) => path)).toEqual([]);
  });
});

it('the source uses the words of the glossary', () => {
  const folders = ['src', 'bench', 'scripts', 'examples'];
  expect(folders.flatMap((folder) => phrasesIn(folder, AVOIDED_IN_SOURCE))).toEqual([]);
});

it('the tests use the words of the glossary', () => {
  expect(phrasesIn('test', AVOIDED).filter((found) => !found.startsWith(`test/${WORD_LIST}`))).toEqual([]);
});

/** The list of avoided words names each of them. */
const WORD_LIST = 'plain-english.test.ts';

/** In what a reader reads: sentences and tables, without code. The last column of the glossary names old words. */
function wordsIn({ path, text }: Page): readonly string[] {
  const read = wordsOf(path === GLOSSARY ? text.replace(/\|[^|\n]*\|$/gm, '|') : text);
  return findAvoided(read, AVOIDED_IN_PAGES).map(
    ({ line, phrase, instead }) => `${path}:${line}: "${phrase}" → ${instead}`,
  );
}

function longSentencesOf({ path, text }: Page): readonly string[] {
  const long = sentencesOf(text).filter((sentence) => wordCount(sentence) > SENTENCE_WORDS_MAX);
  return long.map((sentence) => `${path}: ${sentence}`);
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
      ({ line, phrase, instead }) => `${folder}/${file}:${line}: "${phrase}" → ${instead}`,
    ),
  );
}

/** The sentences of paragraphs and lists. Tables and headings have none. */
function sentencesOf(text: string): readonly string[] {
  const paragraphs: string[] = [];
  let open = false;
  for (const line of wordsOf(text).split('\n')) {
    const isText = line.trim() !== '' && !/^(?:#|\||<!--|\[[^\]]*\]:)/.test(line);
    const isItem = /^\s*(?:[-*]|\d+\.) /.test(line);
    if (isText && open && !isItem) paragraphs.push(`${paragraphs.pop() ?? ''} ${line.trim()}`);
    else if (isText) paragraphs.push(line.trim().replace(/^(?:[-*]|\d+\.) /, ''));
    open = isText;
  }
  return paragraphs
    .flatMap((paragraph) => paragraph.replace(/[*_[\]]/g, '').split(/(?<=[.!?]["')]?)\s+/))
    .filter((sentence) => wordCount(sentence) > 0);
}

function wordCount(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
