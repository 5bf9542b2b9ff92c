import { describe, expect, it } from 'vitest';
import { createWorld, serializeWorld } from '../../src/simulator/world.ts';
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
