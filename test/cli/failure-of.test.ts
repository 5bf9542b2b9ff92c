import { expect, it } from 'vitest';
import { toHeraldError } from '../../src/cli/failure-of.ts';

function refused(message: string, more: object): Error & { code: unknown } {
  return Object.assign(new Error(message), { code: message.split(':')[0], syscall: 'open' }, more);
}

it.each([
  [
    refused("EACCES: permission denied, open '/w/world.json.43329724.tmp'", {
      path: '/w/world.json.43329724.tmp',
    }),
    'Cannot use /w/world.json: permission denied.',
    'Check the path and its permissions, then run the command again.',
  ],
  [
    refused('ENOSPC: no space left on device, write', {}),
    'The system refused: the disk is full.',
    'Free some space, then run the command again.',
  ],
  [
    refused('EXDEV: cross-device link not permitted, rename', {}),
    'The system refused: cross-device link not permitted.',
    'Check the path and its permissions, then run the command again.',
  ],
])('has words and a next step, and no text of Node: %s', (error, message, hint) => {
  expect(toHeraldError(error)).toMatchObject({ code: 'system-error', message, hint });
});
