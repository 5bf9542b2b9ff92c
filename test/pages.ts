import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A page of the documentation. Paths start at the repository. */
export type Page = ReturnType<typeof readPage>;

/** A fenced block of a page: what kind of block it is, its text, and the line on which it begins. */
export type Fence = Page['fences'][number];

const FENCE = /^```([^\n]*)\n([\s\S]*?)^```$/gm;

export function readPage(path: string) {
  const text = readFileSync(path, 'utf8');
  const fences = [...text.matchAll(FENCE)].map((match) => ({
    kind: match[1] ?? '',
    text: (match[2] ?? '').trimEnd(),
    line: text.slice(0, match.index).split('\n').length,
  }));
  return { path, text, lineCount: text.trimEnd().split('\n').length, fences };
}

/** The README and every page below docs/, in the order of their paths. */
export function documentationPages(): readonly Page[] {
  const below = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  return ['README.md', ...below.map((name) => join('docs', name)).toSorted()].map(readPage);
}

/** The other pages at the root. */
export function projectPages(): readonly Page[] {
  return ['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'].map(readPage);
}

/** The text without its fenced blocks; each of their lines stays as an empty one, so that line numbers hold. */
export function withoutFences(text: string): string {
  return text.replace(FENCE, (block) => block.replace(/[^\n]/g, ''));
}

/** Inline code: names of commands, fields and files. They follow the program and not the standard for words. */
export function inlineCode(text: string): readonly string[] {
  return [...withoutFences(text).matchAll(/`([^`]+)`/g)].map((match) =>
    (match[1] ?? '').replaceAll('\\|', '|'),
  );
}

/** The words of a page as they are read: without code and without the targets of links. */
export function wordsOf(text: string): string {
  return withoutFences(text)
    .replace(/`[^`]+`/g, 'code')
    .replace(/\]\([^)]*\)/g, ']');
}
