import { afterEach, describe, expect, it, vi } from 'vitest';
import { WORKSPACE, aScene, type Scene } from '../helpers/scene.ts';
import { expectEnd } from '../helpers/flows.ts';

const ORIGIN = 'https://api.service.example';
const elsewhere = WORKSPACE.replace('simulator: .herald/world.json', `base_url: ${ORIGIN}/base`);

function aWorkspaceElsewhere(): { scene: Scene; asked: string[] } {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (request: Request) => {
    asked.push(request.url);
    return Promise.resolve(Response.json({ items: [], has_more: false }));
  });
  const scene = aScene({ files: { 'herald.yaml': elsewhere } });
  scene.env['HERALD_API_KEY'] = 'sk-live-1234567890';
  return { scene, asked };
}

afterEach(() => vi.unstubAllGlobals());

describe('the API key', () => {
  it.each([
    ['plan'],
    ['apply', '--yes'],
    ['accounts', 'list'],
    ['chat', 'send', '1', '--text', 'x', '--yes', '--account', 'alice'],
  ])('does not go to an address that only herald.yaml names: %s %s', async (...words) => {
    const { scene, asked } = aWorkspaceElsewhere();
    const ran = await scene.herald(...words);
    expect(ran.code, ran.stderr).toBe(1);
    expect(asked).toEqual([]);
    expect(ran.stderr).toContain(`herald trust ${ORIGIN}`);
    expect(ran.stderr).toContain('HERALD_ALLOWED_ORIGINS');
  });

  it.each([
    ['HERALD_ALLOWED_ORIGINS', { HERALD_ALLOWED_ORIGINS: `https://other.example, ${ORIGIN}/` }],
    ['HERALD_BASE_URL', { HERALD_BASE_URL: `${ORIGIN}/base` }],
  ])('goes there when %s names the origin', async (_name, env) => {
    const { scene, asked } = aWorkspaceElsewhere();
    Object.assign(scene.env, env);
    expectEnd(await scene.herald('campaigns', 'list', '--account', 'alice'), 0);
    expect(asked.every((url) => url.startsWith(`${ORIGIN}/base/`))).toBe(true);
    expect(asked.length).toBeGreaterThan(0);
  });

  it('goes there after herald trust, and no more after it is taken back', async () => {
    const { scene } = aWorkspaceElsewhere();
    expect((await scene.herald('trust', `${ORIGIN}/base`)).code).toBe(0);
    expect((await scene.herald('plan')).code).toBe(0);
    expect((await scene.herald('trust', '--list')).stdout).toContain(ORIGIN);
    expect((await scene.herald('trust', '--remove', ORIGIN)).code).toBe(0);
    expect((await scene.herald('plan')).code).toBe(1);
  });

  it.each(['http://api.example', 'api.example'])('%s cannot be trusted', async (text) => {
    expectEnd(await aScene().herald('trust', text), 1, 'is not an https address');
  });
});

it('a secret of the environment is in no output, wherever the files put it', async () => {
  const { scene } = aWorkspaceElsewhere();
  const key = 'sk-live-1234567890';
  scene.env['HERALD_BASE_URL'] = ORIGIN;
  scene.files.tree['herald.yaml'] = elsewhere.replace('first_name: Alice', `first_name: ${key}`);
  scene.files.tree['live/a.yaml'] =
    `accounts: [alice]\ncampaigns:\n  - { name: Welcome, trigger: welcome_message, action: send_message, audience: everyone, messages: [{ text: "hello {{first_name}} ${key}" }] }\n`;
  for (const format of ['text', 'json', 'markdown']) {
    const ran = await scene.herald('plan', '--format', format, '-v');
    expect(ran.stdout).toContain('hello');
    expect(ran.stdout + ran.stderr).not.toContain(key);
  }
});

it('a person at a terminal is asked before the key goes to a new address, and the answer is kept', async () => {
  const { scene, asked } = aWorkspaceElsewhere();
  scene.answer = () => false;
  expect((await scene.herald('accounts', 'list')).code).toBe(1);
  expect(asked).toEqual([]);
  scene.answer = () => true;
  const ran = await scene.herald('campaigns', 'list', '--account', 'alice');
  expectEnd(ran, 0, `To undo: herald trust --remove ${ORIGIN}`);
  expect(scene.trustedOrigins).toEqual([ORIGIN]);
  expect((await scene.herald('trust')).stdout).toBe(`${ORIGIN}\n`);
});
