import { describe, expect, it } from 'vitest';
import { createWorld, serializeWorld } from '../../src/simulator/world.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { altered } from '../helpers/altered.ts';
import { aScene, WORLD_FILE } from '../helpers/scene.ts';
import { expectEnd } from '../helpers/flows.ts';

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
  it('a saved plan that is a key', async () => {
    const scene = aScene({ files: { 'key.txt': 'sk-live-secret-2\n' } });
    const ran = await scene.herald('apply', 'key.txt', '--yes');
    expectEnd(ran, 1, 'key.txt is not a saved plan');
    expect(ran.stdout + ran.stderr).not.toContain('sk-live');
  });

  it.each(['', 'x\r\ny'])('a world with %j for a key does not start', async (key) => {
    const { keys, ...world } = JSON.parse(serializeWorld(createWorld())) as { keys: object[] };
    const text = JSON.stringify({ ...world, keys: keys.map((one) => ({ ...one, key })) });
    const ran = await aScene({ files: { [WORLD_FILE]: text } }).herald('plan');
    expectEnd(ran, 1, /The simulator cannot start: .*\bkey\b/);
    expect(ran.stderr).not.toMatch(/bug in Herald|\n {4}at /);
  });
});

/** An escape sequence, a link, a text turned around, and a line that a CI runner takes for a command. */
const STEERS = 'x\u001b[2J\u001b]8;;https://evil.example\u0007\u009b\u202e\r\n::error::forged ##vso[task.x]y';
const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]|^\s*::|##(?:vso)?\[/m;

it('what a hostile service says steers nothing where what was done is looked at once more', async () => {
  let lists = 0;
  const { scene } = altered(
    async (request, ask) => {
      const answer = await ask();
      if (request.method !== 'GET' || !request.url.includes('auto-message-campaigns')) return answer;
      lists += 1;
      if (lists < 3) return answer;
      const foreign = JSON.stringify(`9${STEERS}`).slice(1, -1);
      const body = (await answer.text()).replaceAll('"account_id":"101"', `"account_id":"${foreign}"`);
      return new Response(body, { status: answer.status, headers: answer.headers });
    },
    { files: declaring({ campaigns: [campaign()] }) },
  );
  const ran = await scene.herald('apply', '--yes');
  expect(ran.stderr).toContain('The result could not be verified');
  expect(ran.stderr).not.toMatch(OBEYED);
});
