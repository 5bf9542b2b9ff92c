import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';

const VITEST = resolve('node_modules/vitest/vitest.mjs');
const SET_UP = [resolve('test/helpers/postgres-once.ts')];

/** Runs a test file next to a database server of its own, as the tests of the project `system` run. */
async function exitOf(test: string): Promise<number> {
  // Next to the dependencies, so that they are found.
  const folder = mkdtempSync(join('node_modules', '.exit-'));
  try {
    writeFileSync(join(folder, 'one.test.mjs'), `import { expect, inject, it } from 'vitest';\n${test}`);
    const config = { test: { include: ['one.test.mjs'], globalSetup: SET_UP, exclude: [] } };
    writeFileSync(join(folder, 'vitest.config.mjs'), `export default ${JSON.stringify(config)};`);
    const { CI: _, ...env } = process.env;
    const run = spawn(process.execPath, [VITEST, 'run', '--root', folder], { env, stdio: 'ignore' });
    const [code] = (await once(run, 'close')) as [number];
    return code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const ASK = `
import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';
const answer = JSON.parse(await text(createConnection(inject('postgres'))));
it('has a server', () => expect(typeof answer.folder).toBe('string'));
`;

it('a run of tests that fails ends with 1', async () => {
  expect(await exitOf(`${ASK}\nit('fails', () => expect(1).toBe(2));`)).toBe(1);
});
