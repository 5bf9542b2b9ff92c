import { expect, it, describe } from 'vitest';
import { errorOf, writesSent, expectEnd } from '../helpers/flows.ts';
import { aScene, WORLD_FILE } from '../helpers/scene.ts';
import { createWorld, serializeWorld } from '../../src/simulator/world.ts';

const ALICE = ['--account', 'alice'];
const BECAUSE = ['--because', 'deleted by support', '--yes'];
const LISTEN = ['events', 'listen', '--port', '0'];

it.each<[string[], string, string]>([
  [['apply', '--expect', '0123456789ab'], 'bad-flag', 'No plan given'],
  [['apply', 'plan.json', '--max-plan-age', '0'], 'usage', 'Give a number of hours above 0.'],
  [['plan', '--allow', 'everything'], 'bad-flag', '--allow everything is unknown. Use one of: adopt, '],
  [['history', '--limit', '3', 'diff', 'alice/campaign/Welcome'], 'usage', '--limit works only with'],
  [['payouts', 'request', ...ALICE, '--amount', 'ten', '--yes'], 'bad-amount', 'ten'],
  [['fans', 'follow', '--yes'], 'bad-flag', 'Which fan?'],
  [['campaigns', 'pause', '--yes'], 'bad-flag', 'Which campaigns? Nothing was sent.'],
  [['broadcasts', 'pause', '7', '--all', '--yes'], 'bad-flag', 'Which broadcasts? Nothing was sent.'],
  [['simulate', '--lose-answer', 'chat.read'], 'unknown-operation', 'Unknown operation "chat.read".'],
  [['api', 'vault.thumbnail', ...ALICE, '--param', 'media_id=1'], 'binary-answer', 'returns bytes'],
  [['state', 'init'], 'bad-flag', 'The state is not in a database, so it needs no setup.'],
  [['state', 'forget', '77', ...BECAUSE], 'not-found', 'The state does not have an object with the id "77".'],
  [LISTEN, 'bad-flag', 'No path secret.'],
  [[...LISTEN, '--path-secret-file', 'short'], 'bad-flag', 'must have 16 to 128 letters'],
  [
    [...LISTEN, '--path-secret-file', 'secret', '--signature-header', 'x-signature'],
    'bad-flag',
    'with --signature-header and HERALD_EVENTS_SECRET, and one of them is missing.',
  ],
])('what cannot be meant is refused, and nothing is sent: %j', async (args, code, message) => {
  const files = { short: 'abc\n', secret: `${'s'.repeat(32)}\n` };
  const scene = aScene({ files });
  scene.columns = 80;
  const ran = await scene.herald(...args, '--format', 'json');
  expect([ran.code, errorOf(ran)]).toMatchObject([1, { code, message: expect.stringContaining(message) }]);
  expect(await writesSent(scene)).toEqual([]);
});

const INHERITED = ['constructor', '__proto__'];

it.each(INHERITED)(
  'names that every JavaScript object has are ordinary names --account %s is an account that is not known',
  async (name) => {
    for (const words of [
      ['accounts', 'get', name],
      ['chat', 'send', '1', '--text', 'hello', '--yes', '--account', name],
      ['payouts', 'request', '--amount', '20', '--yes', '--account', name],
      ['campaigns', 'list', '--account', name],
    ]) {
      const ran = await aScene().herald(...words);
      expectEnd(ran, 1, name);
      expect(ran.stderr).not.toMatch(/bug in Herald|TypeError|\n {4}at /);
    }
  },
);

describe('a file that is not what it should be is not quoted', () => {
  it.each([
    ['is a key', 'sk-live-secret-2\n'],
    ['has a key twice', '{ "a": "sk-live-secret-2", "a": 2 }'],
    ['has brackets without end', '['.repeat(200_000) + ']'.repeat(200_000)],
  ])('a saved plan that %s', async (_title, text) => {
    const ran = await aScene({ files: { 'plan.json': text } }).herald('apply', 'plan.json', '--yes');
    expectEnd(ran, 1, 'plan.json is not a saved plan');
    expect(ran.stdout + ran.stderr).not.toMatch(/sk-live|bug in Herald/);
  });

  it.each(['', 'x\r\ny'])('a world with %j for a key does not start', async (key) => {
    const { keys, ...world } = JSON.parse(serializeWorld(createWorld())) as { keys: object[] };
    const text = JSON.stringify({ ...world, keys: keys.map((one) => ({ ...one, key })) });
    const ran = await aScene({ files: { [WORLD_FILE]: text } }).herald('plan');
    expectEnd(ran, 1, /The simulator cannot start: .*\bkey\b/);
    expect(ran.stderr).not.toMatch(/bug in Herald|\n {4}at /);
  });
});
