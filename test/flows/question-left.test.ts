import { interruptedError } from '../../src/domain/herald-error.ts';
import { expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, writesSent, errorOf } from '../helpers/flows.ts';
import { aScene } from '../helpers/scene.ts';

const ON_ALICE = ['--account', 'alice'];

it.each([
  { args: ['apply'] },
  { args: ['campaigns', 'pause', 'ID', ...ON_ALICE] },
  { args: ['chat', 'send', '101001', '--text', 'Hi', ...ON_ALICE] },
  { args: ['fans', 'label', '101001', '--name', 'Tom', ...ON_ALICE] },
  { args: ['fans', 'follow', '101001', ...ON_ALICE] },
  { args: ['payouts', 'request', '--amount', '100.10', ...ON_ALICE] },
  { args: ['api', 'POST', '/api/v0/accounts/101/new-things', '--body', 'thing.json'] },
])('a question of $args that no one answers ends as interrupted, with nothing sent', async ({ args }) => {
  const scene = aScene({
    files: { ...declaring({ campaigns: [campaign()] }), 'thing.json': '{"size":1}' },
  });
  await applied(scene);
  const [live] = await scene.service((_control, world) =>
    Object.keys(world.accounts['101']?.campaigns ?? {}),
  );
  Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ messages: [{ text: 'New' }] })] }));
  const before = await writesSent(scene);
  const questions: string[] = [];
  scene.answer = (question) => {
    questions.push(question);
    throw interruptedError();
  };
  const ran = await scene.herald(...args.map((word) => word.replace('ID', live ?? '')), '--format', 'json');
  expect(questions, ran.stdout).toHaveLength(1);
  expect(ran.code).toBe(130);
  expect(errorOf(ran)).toMatchObject({ code: 'interrupted', message: 'Interrupted; nothing was sent.' });
  expect(await writesSent(scene)).toEqual(before);
  expect((await scene.herald('chat', 'send', '101001', '--text', 'Hi', '--yes', ...ON_ALICE)).code).toBe(0);
});
