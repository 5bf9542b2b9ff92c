import { describe, expect, it } from 'vitest';
import { altered } from '../helpers/altered.ts';
import { queued } from '../helpers/chats.ts';
import { aScene, WORKSPACE, type Scene } from '../helpers/scene.ts';
import { errorOf } from '../helpers/flows.ts';

/** A service where every answer is this text. */
function answering(text: string, status = 200): { scene: Scene; asked: { url: string; body: string }[] } {
  const asked: { url: string; body: string }[] = [];
  const { scene } = altered(async (request) => {
    asked.push({ url: `${request.method} ${request.url}`, body: await request.text() });
    return new Response(text, { status, headers: { 'content-type': 'application/json' } });
  });
  return { scene, asked };
}

/** The arguments of a command line without quotes. */
const words = (line: string) => line.split(' ');

const ACCOUNT = ['api', 'accounts.get', '--param', 'account_id=101'] as const;

describe('the answer that herald api prints', () => {
  it('is as it came, on lines of its own: every digit, and every type', async () => {
    const { scene } = answering(
      '{"account":{"id":101,"platform_account_id":9007199254740993123,"subscribe_price":"9.90","name":7,"email":{"a":1},"x":1.10,"y":1e3,"z":[],"w":{}}}',
    );
    const ran = await scene.herald(...ACCOUNT);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toBe(`{
  "account": {
    "id": 101,
    "platform_account_id": 9007199254740993123,
    "subscribe_price": "9.90",
    "name": 7,
    "email": {
      "a": 1
    },
    "x": 1.10,
    "y": 1e3,
    "z": [],
    "w": {}
  }
}
`);
  });

  it('is one line where a member occurs twice, so that both are there', async () => {
    const { scene } = answering('{"account":{"id":101,"id":102}}');
    expect((await scene.herald(...ACCOUNT)).stdout).toBe('{"account":{"id":101,"id":102}}\n');
  });

  it('cannot control a terminal', async () => {
    const { scene } = answering(
      '{"account":{"id":1,"name":"a\u202eb","email":"a,b:{[\\"","label":"##[error]"}}',
    );
    const { stdout } = await scene.herald(...ACCOUNT);
    expect(stdout).not.toMatch(/[\u202e]|##\[/);
    expect(JSON.parse(stdout)).toEqual({
      account: { id: 1, name: 'a\u202eb', email: 'a,b:{["', label: '##[error]' },
    });
  });
});

describe('herald api with a method and a path', () => {
  it('has the answer of the call by its name', async () => {
    const scene = aScene();
    const named = await scene.herald('api', 'fans.list', '--param', 'account_id=101', '--param', 'limit=2');
    const ran = await scene.herald('api', 'get', '/api/v0/accounts/101/fans', '--param', 'limit=2');
    expect([ran.code, ran.stdout]).toEqual([0, named.stdout]);
  });

  it('is sent beyond the catalogue, with its parameters', async () => {
    const { scene, asked } = answering('{"new":true}');
    const ran = await scene.herald(
      ...words('api GET /api/v0/accounts/101/new-thing --param since=1 --param since=2'),
    );
    expect([ran.code, ran.stdout]).toEqual([0, '{\n  "new": true\n}\n']);
    expect(asked.map(({ url }) => url)).toEqual([
      'GET http://localhost:1/api/v0/accounts/101/new-thing?since=1&since=2',
    ]);
  });

  it.each([
    ['FETCH', '/api/v0/accounts'],
    ['POST', '/api/v0/accounts/101/new-thing'],
    ['DELETE', '/api/v0/accounts/101'],
    ['GET', 'api/v0/accounts'],
    ['GET', '/api/v0/accounts?limit=1'],
    ['GET', '/api/v0/a b'],
    ['GET', '/api/v0/accounts/{account_id}'],
  ])('refuses %s %s', async (method, path) => {
    const { scene, asked } = answering('{}');
    const ran = await scene.herald('api', method, path, '--format', 'json');
    expect([ran.code, errorOf(ran).code]).toEqual([1, 'bad-flag']);
    expect(asked).toEqual([]);
  });

  it('names the command of a write', async () => {
    const { scene, asked } = answering('{}');
    const path = '/api/v0/accounts/101/auto-message-campaigns';
    const ran = await scene.herald('api', 'post', path, '--format', 'json');
    expect([ran.code, errorOf(ran)]).toMatchObject([1, { code: 'invalid-call', hint: 'Use: herald apply' }]);
    expect(asked).toEqual([]);
  });
});

describe('what herald api sends', () => {
  it('is checked by its name, and sent as it is by its path', async () => {
    const { scene, asked } = answering('{"accounts":[]}');
    const sort = ['--param', 'sort=new'];
    expect((await scene.herald('api', 'accounts.list', ...sort)).code).toBe(1);
    expect((await scene.herald('api', 'GET', '/api/v0/accounts', ...sort)).code).toBe(0);
    expect(asked.map(({ url }) => url)).toEqual(['GET http://localhost:1/api/v0/accounts?sort=new']);
  });

  it('has the id that the path needs, from --account', async () => {
    const scene = aScene();
    const traffic = [
      'api',
      'traffic.subscriptions',
      '--param',
      'start=2026-05-01T00:00:00Z',
      '--param',
      'end=2026-06-01T00:00:00Z',
    ];
    expect((await scene.herald(...traffic, '--account', 'alice', '-v')).stderr).toContain(
      '/platforms/platform_a/accounts/9101/',
    );
    expect((await scene.herald('api', 'campaigns.list', '--account', 'alice', '-v')).stderr).toContain(
      '/accounts/101/auto',
    );
    const none = await scene.herald(
      ...words('api team.members --param limit=1 --param offset=0 --account alice --format json'),
    );
    expect(errorOf(none).message).toBe('team.members takes no account.');
  });

  it('reads herald.yaml only', async () => {
    const scene = aScene({ files: { 'herald.yaml': WORKSPACE, 'live/broken.yaml': 'campaigns: [' } });
    expect((await scene.herald('api', 'campaigns.list', '--account', 'alice')).code).toBe(0);
    expect(await queued(scene)).toEqual([]);
  });
});

it('the list of operations has the rate that counts', async () => {
  const { stdout } = await aScene().herald('api', '--list', '--format', 'csv');
  expect(
    stdout
      .split('\n')
      .filter((line) => line.startsWith('payouts.'))
      .map((line) => line.split(',')[4]),
  ).toEqual(['1', '1', '1']);
});
