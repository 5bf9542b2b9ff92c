import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { OPERATIONS } from '../../src/api/catalogue.ts';
import { errorReportShape } from '../../src/domain/change.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { documentOf, writesSent } from '../helpers/flows.ts';
import { aScene } from '../helpers/scene.ts';

const welcome = declaring({ campaigns: [campaign()] });
const campaignsShape = z.looseObject({ items: z.array(z.looseObject({ id: z.string() })) });

describe('herald api', () => {
  it.each([
    [['api', 'accounts.list']],
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

  it.each([
    { title: 'an operation that does not exist', args: ['campaigns.delete'], code: 'unknown-operation' },
    {
      title: 'a parameter without a value',
      args: ['campaigns.list', '--param', 'account_id'],
      code: 'bad-flag',
    },
    {
      title: 'a parameter of the path that is given twice',
      args: ['campaigns.list', '--param', 'account_id=101', '--param', 'account_id=102'],
      code: 'bad-flag',
    },
    {
      title: 'a parameter out of its bounds',
      args: ['campaigns.list', '--param', 'account_id=101', '--param', 'limit=1000'],
      code: 'invalid-call',
    },
    { title: 'a missing parameter', args: ['campaigns.list'], code: 'invalid-call' },
  ])('sends nothing for $title', async ({ args, code }) => {
    const scene = aScene({ files: welcome });
    const ran = await scene.herald('api', ...args, '--format', 'json');
    expect(ran.code).toBe(1);
    expect(documentOf(ran, errorReportShape).code).toBe(code);
    expect(await writesSent(scene)).toEqual([]);
  });
});
