import { expect, it } from 'vitest';
import type { Host } from '../src/host/host.ts';
import { run } from '../src/main.ts';

it('a folder that another process removed ends every command with a sentence', async () => {
  let errors = '';
  const host = {
    argv: ['node', 'herald', 'plan'],
    cwd: () => {
      throw new Error('ENOENT: no such file or directory, uv_cwd');
    },
    stderr: { write: (text: string) => (errors += text) },
  } as unknown as Host;
  expect(await run(host)).toBe(1);
  expect(errors).toBe(
    'error: This folder does not exist any more. Nothing was done.\nGo to another one: cd ..\n',
  );
});
