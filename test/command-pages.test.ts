import { expect, it } from 'vitest';
import { drawCommandPages } from './command-pages.ts';

// To write both again: npm run message-pages
const { page, manual } = await drawCommandPages();

it('docs/reference/commands.md is made from the rows of the commands', async () => {
  await expect(page).toMatchFileSnapshot('../docs/reference/commands.md');
});

it('man/herald.1 is made from the rows of the commands', async () => {
  await expect(manual).toMatchFileSnapshot('../man/herald.1');
});
