import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../src/api/catalogue.ts';
import { JSON_SCHEMAS } from '../../src/cli/schemas.ts';
import { heraldHere } from '../helpers/herald-here.ts';
import { aScene } from '../helpers/scene.ts';
import { ALLOWANCE_NAMES } from '../../src/domain/change-kinds.ts';
import { folderForFile } from '../helpers/temporary-folder.ts';

const folder = folderForFile({
  'broken/herald.yaml': 'version: 1\naccounts: { "$(touch pwned)": {} }\n',
  'my agency/herald.yaml':
    'version: 1\nservice: { simulator: w.json }\naccounts: { alice: { id: "1" }, bob: { id: "2" } }\ngroups: { vip: [bob] }\nfiles: [x.yaml]\n',
});
mkdirSync(join(folder, 'my agency', 'inner'));

/** The lines for these words, the last of which is begun. */
async function complete(...words: readonly string[]): Promise<readonly string[]> {
  const ran = await heraldHere(folder, { args: ['complete', '--', ...words] });
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  return ran.stdout.split('\n').filter((line) => line !== '');
}

async function offered(...words: readonly string[]): Promise<readonly string[]> {
  return (await complete(...words)).map((line) => line.replace(/\t.*/, ''));
}

const AGENCY = ['-C', 'my agency'];

describe('herald complete', () => {
  it('offers every command that help lists, with what it does', async () => {
    const { stdout } = await aScene().herald('--help');
    const [list = ''] = stdout.split('\nGet started:\n').at(1)?.split('\nExit codes:') ?? [];
    const listed = list.split('\n').flatMap((line) => /^ {2}([a-z][a-z-]*)/.exec(line)?.[1] ?? []);
    expect(listed.length).toBeGreaterThan(8);
    expect((await offered('')).toSorted()).toEqual(listed.toSorted());
    expect(await complete('vali')).toEqual(['validate\tcheck all files; works offline']);
  });

  it.each([
    { typed: ['pl'], offers: ['plan'] },
    { typed: ['campaigns', 'a'], offers: ['activate', 'archive'] },
    { typed: ['campaigns', 'u'], offers: [] },
    { typed: ['-C', 'plan', 'campaigns', 're'], offers: ['recall'] },
    { typed: ['--format', 'json', 'broadcasts', 're'], offers: ['resume', 'recall'] },
    { typed: ['help', 'pl'], offers: ['plan'] },
    { typed: ['help', 'campaigns', 're'], offers: ['recall'] },
    { typed: ['campaigns', 'help', 're'], offers: ['recall'] },
    { typed: ['plan', '--det'], offers: ['--detailed-exitcode'] },
    { typed: ['plan', '-q'], offers: ['-q'] },
    { typed: ['broadcasts', 'resume', '55', '--fo'], offers: ['--format', '--force'] },
    { typed: ['broadcasts', 'pause', '55', '--forc'], offers: [] },
    { typed: ['chat', 'messages', '9', '--order', ''], offers: ['asc', 'desc'] },
    { typed: ['plan', '--format', ''], offers: ['text', 'markdown', 'json'] },
    { typed: ['history', '--format', ''], offers: ['table', 'json', 'ndjson', 'csv'] },
    { typed: ['history', 'show', '--format', ''], offers: ['text', 'json'] },
    { typed: ['payouts', 'list', '--columns', 'rej'], offers: ['rejectReason'] },
    { typed: ['apply', '--allow', ''], offers: [...ALLOWANCE_NAMES] },
    { typed: ['completion', ''], offers: ['bash', 'zsh', 'fish'] },
    { typed: ['completion', 'bash', ''], offers: [] },
    { typed: ['api', ''], offers: [...OPERATIONS] },
    { typed: ['schema', ''], offers: Object.keys(JSON_SCHEMAS) },
    { typed: ['nope', 'x', ''], offers: [] },
    // Words as bash has them, which cuts at "=", and as zsh has them.
    { typed: ['plan', '--format', '=', 'ma'], offers: ['markdown'] },
    { typed: ['plan', '--format', '='], offers: ['text', 'markdown', 'json'] },
    { typed: ['plan', '--format=ma'], offers: ['--format=markdown'] },
  ])('offers words behind $typed', async ({ typed, offers }) => {
    expect(await offered(...typed)).toEqual(offers);
  });

  it('leaves paths to the shell', async () => {
    expect(await complete('apply', '')).toEqual([]);
    expect(await complete('plan', '--out', '')).toEqual([]);
  });

  it.each([
    ['campaigns', 'pause', '7', '--account'],
    ['accounts', 'get'],
    ['-C', 'inner', '--chdir=..', 'accounts', 'get'],
  ])('offers the accounts and groups of the workspace: %j', async (...typed) => {
    expect(await complete(...AGENCY, ...typed, '')).toEqual(['alice\taccount', 'bob\taccount', 'vip\tgroup']);
  });

  it.each(['.', 'broken'])(
    'offers no accounts, and says nothing, without a valid herald.yaml: %s',
    async (directory) => {
      expect(await complete('-C', directory, 'accounts', 'get', '')).toEqual([]);
    },
  );
});
