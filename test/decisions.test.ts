import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const FOLDER = 'docs/decisions';
const INDEX = readFileSync(`${FOLDER}/README.md`, 'utf8');
const PAGES = readdirSync(FOLDER)
  .filter((file) => /^\d{4}-/.test(file))
  .toSorted();

it('every decision is in the index, once and in order', () => {
  const linked = [...INDEX.matchAll(/\]\((\d{4}-[^)]+)\)/g)].map((match) => match[1]);
  expect(linked, `add a line for each decision to ${FOLDER}/README.md`).toEqual(PAGES);
});
