import { expect, it } from 'vitest';
import { workspaceNotices } from '../../src/ci/settings-notice.ts';
import { memoryRepository } from '../helpers/memory-repository.ts';

const VALID = 'version: 1\n';

async function noticesOf(base: string, head: string): Promise<string> {
  const repository = memoryRepository([{ id: 'base', files: { 'herald.yaml': base } }]);
  return (await workspaceNotices(repository, 'base', { head, changes: [], resolved: [] })).join('\n');
}

it('names the one word that is gone next to 900 new ones, and the limit that is gone after 30 new settings', async () => {
  const words = Array.from({ length: 900 }, (_, index) => `new word ${index}`);
  const base = `${VALID}policy: { banned_words: [cash], max_price_gross: 50 }\n`;
  const head = `${VALID}service: { known_kinds: [${words.join(', ')}] }\npolicy: { banned_words: [${words.join(', ')}], missed: deny }\n`;
  const notice = await noticesOf(base, head);
  expect(notice).toContain('<code>policy.banned&#95;words</code> removed <code>"cash"</code>');
  expect(notice).toContain('<code>policy.max&#95;price&#95;gross</code> removed <code>50</code>');
  expect(notice.indexOf('max&#95;price')).toBeLessThan(notice.indexOf('missed'));
  expect(notice.length).toBeLessThan(20_000);
});

it('shows a long value from where it begins to differ', async () => {
  const long = 'x'.repeat(5_000);
  const address = (host: string) => `${VALID}service: { base_url: 'https://${long}${host}' }\n`;
  const notice = await noticesOf(address('.mine.example'), address('.evil.example'));
  expect(notice).toMatch(
    /from … <code>x+\.mine\.example"<\/code> \(\d+ characters\) to … <code>x+\.evil\.example"/,
  );
});

it('names all words that are gone, and counts what does not fit', async () => {
  const words = Array.from({ length: 3_000 }, (_, index) => `old word ${index}`);
  const notice = await noticesOf(`${VALID}policy: { banned_words: [${words.join(', ')}] }\n`, VALID);
  expect(notice).toContain('<code>"old word 0"</code>');
  expect(notice).toMatch(/ and 2\d\d\d more \(line 2\)$/m);
});

it('says that nothing is compared with a link in place of herald.yaml', async () => {
  const files = { 'herald.yaml': VALID };
  const repository = memoryRepository([{ id: 'base', files, links: ['herald.yaml'] }]);
  const about = { head: VALID, changes: [], resolved: [] };
  expect(await workspaceNotices(repository, 'base', about)).toEqual([
    expect.stringContaining('are not compared'),
  ]);
});
