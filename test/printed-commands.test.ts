import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { INDEX } from '../src/commands/index.ts';

/** Text that is not for a person who has just run a command, so it does not repeat the `-C` of a run. */
const FIXED_TEXT: readonly { readonly what: string; readonly files: RegExp }[] = [
  {
    what: 'help and its examples',
    files: /^cli\/program\.ts$|^commands\/|^api\/rows\//,
  },
  { what: 'files of a workspace', files: /^render\/accounts-yaml\.ts$|^import\/resource-file\.ts$/ },
  { what: 'descriptions in the schemas', files: /^workspace\/schema\.ts$|^policy\/approvals\.ts$/ },
];

const WORDS = INDEX.commands.map(({ path }) => path.split(' ')[0]).join('|');
const BY_HAND = new RegExp(String.raw`\bherald(?:-campaigns)? (?:(?:${WORDS})\b|\$\{)`);

/** The lines of `src` that are not comments, each with the top-level line that it belongs to. */
const LINES = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .flatMap((path) => {
    let topLevel = '';
    return readFileSync(join('src', path), 'utf8')
      .split('\n')
      .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line))
      .map((text) => {
        if (/^[a-z]/.test(text)) topLevel = text;
        return { path: path.replaceAll('\\', '/'), text: text.trim(), topLevel };
      });
  });

describe('the commands that Herald prints', () => {
  it('are made by formatCommand, which quotes each word and repeats -C', () => {
    const byHand = LINES.filter(
      ({ path, text }) => BY_HAND.test(text) && !FIXED_TEXT.some(({ files }) => files.test(path)),
    );
    expect(byHand.map(({ path, text }) => `${path}: ${text}`)).toEqual([]);
  });

  it('are made when they are printed: a constant has the -C of an earlier run in the process', () => {
    const constant = LINES.filter(
      ({ text, topLevel }) =>
        text.includes('formatCommand(') &&
        !/\bfunction\b|=>|\bFC\b|\bclass\b|\bdefineCommand\b/.test(topLevel),
    );
    expect(constant.map(({ path, text }) => `${path}: ${text}`)).toEqual([]);
  });

  it.each(FIXED_TEXT)('are written out in $what', ({ files }) => {
    expect(LINES.some(({ path, text }) => files.test(path) && BY_HAND.test(text))).toBe(true);
  });
});
