import { expect, it } from 'vitest';
import { toHeraldError } from '../../src/domain/herald-error.ts';
import { errorOf } from '../helpers/flows.ts';
import { aScene } from '../helpers/scene.ts';

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

it.each([
  ['plan', 'show', 'gone'],
  ['fans', 'follow', '--from-file', 'gone', '--yes'],
  ['chat', 'send', '101001', '--account', 'alice', '--text-file', 'gone', '--yes'],
  ['events', 'listen', '--path-secret-file', 'gone'],
  ['accounts', 'list', '--api-key-file', 'gone'],
])('names a file that was typed and cannot be read: %s %s', async (...args) => {
  const scene = aScene();
  if (args.includes('--api-key-file')) scene.env['HERALD_BASE_URL'] = 'https://service.example';
  const ran = await scene.herald(...args, '--format', 'json');
  expect([ran.code, errorOf(ran)]).toMatchObject([
    1,
    { code: 'system-error', message: 'Cannot use gone: the file does not exist.' },
  ]);
});
