import { existsSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentationPages, projectPages, readPage, withoutFences } from './helpers/pages.ts';

const PAGES = [...documentationPages(), ...projectPages()];

describe('the links of the pages', () => {
  it('lead to a file and a heading that exist', () => {
    const dead = PAGES.flatMap(({ path, text }) => linksOf(text).flatMap((link) => deadLink(path, link)));
    expect(dead).toEqual([]);
  });

  it('lead from the README to every page', () => {
    const reached = new Set(['README.md']);
    for (const path of reached) {
      const isPage = path.endsWith('.md') && existsSync(path);
      for (const link of isPage ? linksOf(readPage(path).text) : []) reached.add(targetOf(path, link));
    }
    // A link to a folder leads to the pages in it.
    const isReached = (path: string): boolean => reached.has(path) || reached.has(dirname(path));
    expect(PAGES.map(({ path }) => path).filter((path) => !isReached(path))).toEqual([]);
  });
});

function linksOf(text: string): readonly string[] {
  const inline = [...withoutFences(text).matchAll(/\]\(([^)\s]+)\)/g)];
  return inline.map((match) => match[1] ?? '').filter((link) => !/^[a-z]+:/.test(link));
}

function targetOf(page: string, link: string): string {
  const file = link.split('#')[0] ?? '';
  return file === '' ? page : normalize(join(dirname(page), file));
}

function deadLink(page: string, link: string): readonly string[] {
  const target = targetOf(page, link);
  if (!existsSync(target)) return [`${page}: ${link}: ${target} does not exist`];
  const anchor = link.split('#')[1];
  if (anchor === undefined) return [];
  if (statSync(target).isDirectory()) return [`${page}: ${link}: a folder has no headings`];
  return anchorsOf(readPage(target).text).has(anchor)
    ? []
    : [`${page}: ${link}: no heading of ${target} has this anchor`];
}

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...withoutFences(text).matchAll(/^#{1,6} (.+)$/gm)];
  return new Set(
    headings.map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replace(/ /g, '-'),
    ),
  );
}
