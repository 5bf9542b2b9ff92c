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

it('a number that no decision has is named in the index', () => {
  const used = PAGES.map((file) => Number(file.slice(0, 4)));
  const missing = Array.from({ length: Math.max(...used) }, (_, index) => index + 1).filter(
    (number) => !used.includes(number),
  );
  expect(missing.filter((number) => !INDEX.includes(`number ${String(number).padStart(4, '0')}`))).toEqual(
    [],
  );
});
