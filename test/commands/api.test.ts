import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { OPERATIONS } from '../../src/api/catalogue.ts';
import { errorReportShape } from '../../src/domain/change.ts';
import { altered } from '../helpers/altered.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { documentOf, errorOf, writesSent, expectEnd } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

/** A service where every answer is this text. */
function answering(text: string, status = 200): { scene: Scene; asked: string[] } {
  const asked: string[] = [];
  const { scene } = altered(async (request) => {
    asked.push(`${request.method} ${request.url}`);
    return new Response(text, { status, headers: { 'content-type': 'application/json' } });
  });
  return { scene, asked };
}

/** The arguments of a command line without quotes. */
const words = (line: string) => line.split(' ');

const ACCOUNT = ['api', 'accounts.get', '--param', 'account_id=101'] as const;

const welcome = declaring({ campaigns: [campaign()] });
const campaignsShape = z.looseObject({ items: z.array(z.looseObject({ id: z.string() })) });

describe('herald api', () => {
  it.each([
    [['api', 'campaigns.list', '--account', 'alice']],
    [['accounts', 'list']],
    [['campaigns', 'list']],
    [['payouts', 'list']],
    [['history', '--limit', '1']],
    [['state', 'check']],
  ])('reads no resource file, and neither do commands such as %j', async (words) => {
    const scene = aScene({ files: { 'live/all.yaml': 'campaigns: [' } });
    expect((await scene.herald('validate')).code).toBe(1);
    const ran = await scene.herald(...words);
    expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining('live/all.yaml')]);
  });

  it('lists them in every format of a list', async () => {
    const scene = aScene({ files: welcome });
    const lines = (await scene.herald('api', '--list', '--format', 'ndjson')).stdout.trim().split('\n');
    expect(
      lines.map((line) => z.looseObject({ operation: z.string() }).parse(JSON.parse(line)).operation),
    ).toEqual(OPERATIONS);
    const csv = (await scene.herald('api', '--list', '--format', 'csv')).stdout.split('\n');
    expect(csv[0]).toBe('operation,method,path,permission,per_second,repeat');
    expect(csv[1]).toBe('accounts.get,GET,/api/v0/accounts/{account_id},accounts.view,15,read');
    // The rate that counts is that of the group.
    const payouts = csv.filter((line) => line.startsWith('payouts.'));
    expect(payouts.map((line) => line.split(',')[4])).toEqual(['1', '1', '1']);
  });

  it('sorts parameters into path and query, and prints the answer', async () => {
    const scene = aScene();
    await scene.service((control) => control.seedCampaign('101'));
    const flags = ['--param', 'account_id=101', '--param', 'limit=1', '-v'];
    const ran = await scene.herald('api', 'campaigns.list', ...flags);
    expect(ran.code).toBe(0);
    expect(documentOf(ran, campaignsShape).items.length).toBe(1);
    expect(ran.stderr).toContain('/accounts/101/auto-message-campaigns?limit=1 -> 200');
  });

  it.each([
    ['campaigns.create', 'herald apply'],
    ['broadcasts.set-status', 'herald broadcasts --help'],
    ['chat.send', 'herald chat send'],
    ['payouts.request', 'herald payouts request'],
    ['vault.upload-retry', 'herald vault retry'],
    ['vault.verify-fan', 'herald vault verify-fan'],
  ])('does not send %s, which has a command of its own: %s', async (operation, command) => {
    const scene = aScene();
    const ran = await scene.herald('api', operation, '--account', 'alice', '--format', 'json');
    const error = documentOf(ran, errorReportShape);
    expect([ran.code, error.code, error.hint]).toEqual([1, 'invalid-call', expect.stringContaining(command)]);
    expect((await scene.oracle()).requests).toEqual([]);
  });

  const ON_101 = 'campaigns.list --param account_id=101';
  it.each([
    ['an operation that does not exist', 'campaigns.delete', 'unknown-operation'],
    ['a parameter without a value', 'campaigns.list --param account_id', 'bad-flag'],
    ['a parameter of the path that is given twice', `${ON_101} --param account_id=102`, 'bad-flag'],
    ['a parameter out of its bounds', `${ON_101} --param limit=1000`, 'invalid-call'],
    ['a missing parameter', 'campaigns.list', 'invalid-call'],
  ])('sends nothing for %s', async (_title, line, code) => {
    const scene = aScene({ files: welcome });
    const ran = await scene.herald(...words(`api ${line} --format json`));
    expect(ran.code).toBe(1);
    expect(documentOf(ran, errorReportShape).code).toBe(code);
    expect(await writesSent(scene)).toEqual([]);
  });
});

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
    expect(asked).toEqual(['GET http://localhost:1/api/v0/accounts/101/new-thing?since=1&since=2']);
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

it('herald api has the id that the path needs, from --account', async () => {
  const scene = aScene();
  const range = '--param start=2026-05-01T00:00:00Z --param end=2026-06-01T00:00:00Z';
  const traffic = words(`api traffic.subscriptions ${range} --account alice -v`);
  expect((await scene.herald(...traffic)).stderr).toContain('/platforms/platform_a/accounts/9101/');
  expect((await scene.herald('api', 'campaigns.list', '--account', 'alice', '-v')).stderr).toContain(
    '/accounts/101/auto',
  );
  const none = await scene.herald(
    ...words('api team.members --param limit=1 --param offset=0 --account alice --format json'),
  );
  expect(errorOf(none).message).toBe('team.members takes no account.');
});

it('the details of a refusal are shown, and are in the error of JSON', async () => {
  const { scene } = answering('{"message":"no","details":{"field":"limit"}}', 400);
  const ran = await scene.herald(...ACCOUNT);
  expectEnd(ran, 1, 'details: {"field":"limit"}\n');
  expect(errorOf(await scene.herald(...ACCOUNT, '--format', 'json')).details).toMatchObject({
    details: { field: 'limit' },
  });
});
