import { expect, it } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import type { Surroundings } from '../../src/cli/context.ts';
import { defineCommand } from '../../src/cli/define-command.ts';
import { ReaderGoneError } from '../../src/domain/ports.ts';

it('a command ends well where its reader has closed the pipe', async () => {
  const command = defineCommand({
    path: 'much',
    about: 'print much',
    examples: [],
    needs: 'nothing',
    run: () => Promise.reject(new ReaderGoneError()),
  });
  const around = { flags: { verbose: false }, env: {} } as unknown as Surroundings;
  expect(await runCommand(command, around, {})).toBe(0);
});
