import { describe, expect, it } from 'vitest';
import { createWorld, serializeWorld } from '../../src/simulator/world.ts';
import { aScene, WORLD_FILE } from '../helpers/scene.ts';

const INHERITED = ['toString', 'valueOf', 'constructor', '__proto__', 'hasOwnProperty'];

describe('names that every JavaScript object has are ordinary names', () => {
  it.each(INHERITED)('--account %s is an account that is not known', async (name) => {
    for (const words of [
      ['accounts', 'get', name],
      ['chat', 'send', '1', '--text', 'hello', '--yes', '--account', name],
      ['payouts', 'request', '--amount', '20', '--yes', '--account', name],
      ['campaigns', 'list', '--account', name],
    ]) {
      const ran = await aScene().herald(...words);
      expect(ran.code, ran.stderr).toBe(1);
      expect(ran.stderr).toContain(name);
      expect(ran.stderr).not.toMatch(/bug in Herald|TypeError|\n {4}at /);
    }
  });
});

describe('a file that is not what it should be is not quoted', () => {
  it('a saved plan that is a key', async () => {
    const scene = aScene({ files: { 'key.txt': 'sk-live-secret-2\n' } });
    const ran = await scene.herald('apply', 'key.txt', '--yes');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('key.txt is not a saved plan');
    expect(ran.stdout + ran.stderr).not.toContain('sk-live');
  });

  it('a world with a header name that HTTP does not know is reported as damaged', async () => {
    const world = JSON.parse(serializeWorld(createWorld())) as Record<string, unknown>;
    const text = JSON.stringify({ ...world, authHeader: 'a/b c' });
    const ran = await aScene({ files: { [WORLD_FILE]: text } }).herald('plan');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('damaged at authHeader');
    expect(ran.stderr).not.toMatch(/bug in Herald|\n {4}at /);
  });

  it.each(['', ' ', 'a b', 'x\r\ny'])('a world with %j for a key does not start', async (key) => {
    const { keys, ...world } = JSON.parse(serializeWorld(createWorld())) as { keys: object[] };
    const text = JSON.stringify({ ...world, keys: keys.map((one) => ({ ...one, key })) });
    const ran = await aScene({ files: { [WORLD_FILE]: text } }).herald('plan');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/The simulator cannot start: .*\bkey\b/);
    expect(ran.stderr).not.toMatch(/bug in Herald|\n {4}at /);
  });
});
