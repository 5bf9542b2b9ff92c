import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openWorkspace, renderPlanPage } from '../src/index.ts';
import { launchChromium } from '../test/helpers/browsers.ts';

// Makes the pictures of the page in docs/images: npm run page-images. They show the example `agency` on its simulator, applied
// once, and then edited.

const IMAGES = 'docs/images';

/** Edits as a person may make them. Each replaces one text by another. */
const EDITS: readonly (readonly [file: string, before: string, after: string])[] = [
  ['campaigns/welcome.yaml', 'I am so glad that you found your way to', 'I am happy that you found'],
  ['campaigns/welcome.yaml', 'price_gross: 9.99', 'price_gross: 11.99'],
  ['campaigns/returning.yaml', '- name: gc/Evening chat', '- name: gc/Evening chat\n    status: archived'],
  ['broadcasts/black-friday.yaml', "scheduled_at: '2030-11-29T18:00'", "scheduled_at: '2030-11-29T19:00'"],
  [
    'broadcasts/new-york-evening.yaml',
    'broadcasts:',
    "broadcasts:\n  - name: gc/Morning after\n    scheduled_at: '2030-11-29T09:00'\n    scheduled_at_timezone: America/New_York\n    audience: everyone\n    messages:\n      - text: 'Leftovers for breakfast? Yours, {{first_name}}'",
  ],
];

const VIEWS = [
  { name: 'page-light', width: 1280, height: 1500, colorScheme: 'light', media: 'screen' },
  { name: 'page-dark', width: 1280, height: 1500, colorScheme: 'dark', media: 'screen' },
  { name: 'page-phone', width: 390, height: 1700, colorScheme: 'light', media: 'screen' },
  { name: 'page-print', width: 794, height: 1123, colorScheme: 'light', media: 'print' },
] as const;

const folder = mkdtempSync(join(tmpdir(), 'herald-images-'));
try {
  const file = join(folder, 'plan.html');
  writeFileSync(file, await pageOfAgency(join(folder, 'agency')));
  mkdirSync(IMAGES, { recursive: true });
  const browser = await launchChromium();
  for (const { name, width, height, colorScheme, media } of VIEWS) {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme,
      timezoneId: 'Europe/Berlin',
    });
    const page = await context.newPage();
    await page.goto(pathToFileURL(file).href);
    await page.emulateMedia({ media });
    const path = join(IMAGES, `${name}.png`);
    await page.screenshot({ path });
    console.log(path);
    await context.close();
  }
  await browser.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The page of a plan for the example, after its edits. */
async function pageOfAgency(directory: string): Promise<string> {
  cpSync('examples/agency', directory, { recursive: true });
  const herald = openWorkspace(directory, { who: 'Mara Lind' });
  await herald.apply(await herald.plan());
  for (const [name, before, after] of EDITS) {
    const path = join(directory, name);
    const text = readFileSync(path, 'utf8');
    if (!text.includes(before)) throw new Error(`${name} does not have ${before}`);
    writeFileSync(path, text.replace(before, after));
  }
  const { plan } = await herald.plan();
  await herald.close();
  const picture = readFileSync(join(directory, 'campaigns/media/evening.png')).toString('base64');
  const pictures = new Map([
    ['campaigns/media/evening.png', { kind: 'shown', url: `data:image/png;base64,${picture}` }],
  ] as const);
  return renderPlanPage({ ...plan, workspace: 'agency' }, { pictures });
}
