import { describe, expect, it } from 'vitest';
import { OPERATIONS, rowOf } from '../../src/api/catalogue.ts';
import { PERMISSIONS } from '../../src/api/row.ts';
import { aVisit, BROADCASTS, CAMPAIGNS, itemsOf } from './visit.ts';

const ALL_BUT_VIEW = PERMISSIONS.filter((permission) => permission !== 'auto_messages.view');

describe('the key', () => {
  it.each([null, '', 'unknown-key'])('%j is a 401', async (key) => {
    const { call, control } = aVisit();
    expect((await call('GET', CAMPAIGNS, undefined, { key })).status).toBe(401);
    expect(control.oracle().requests).toMatchObject([{ status: 401, auth_header_seen: key !== null }]);
  });

  it('is read from the header that the world names', async () => {
    const { call } = aVisit({ authHeader: 'X-Brand-Token' });
    const headers = { 'x-brand-token': 'sim-key' };
    expect((await call('GET', CAMPAIGNS, undefined, { key: null, headers })).status).toBe(200);
    expect((await call('GET', CAMPAIGNS)).status).toBe(401);
  });

  it('can be revoked while the service runs', async () => {
    const { call, control } = aVisit();
    control.addKey({ key: 'sim-key', permissions: 'all', revoked: true });
    expect((await call('GET', CAMPAIGNS)).status).toBe(401);
  });

  it('never stands in the request log', async () => {
    const { call, control } = aVisit({ keys: [{ key: 'a-secret-key', permissions: 'all' }] });
    await call('GET', CAMPAIGNS, undefined, { key: 'a-secret-key' });
    expect(JSON.stringify(control.oracle())).not.toContain('a-secret-key');
  });
});

describe('permissions', () => {
  it.each(OPERATIONS.map((operation) => [operation, rowOf(operation)] as const))(
    '%s without its own answers 403 and names it, whatever else is wrong',
    async (_operation, row) => {
      const { call } = aVisit({ keys: [{ key: 'bare', permissions: [] }] });
      const path = row.path.replaceAll(/\{\w+\}/g, 'nonsense');
      const { status, body } = await call(row.method, path, undefined, { key: 'bare' });
      expect(status).toBe(403);
      expect(body).toMatchObject({
        code: 'API_KEY_PERMISSION_DENIED',
        details: { required_permission: row.permission },
      });
    },
  );

  it('hold one by one: a key may edit without seeing', async () => {
    const { call, campaign } = aVisit({ keys: [{ key: 'editor', permissions: ALL_BUT_VIEW }] });
    const id = campaign();
    const options = { key: 'editor' };
    expect((await call('GET', CAMPAIGNS, undefined, options)).status).toBe(403);
    const { status } = await call('PATCH', `${CAMPAIGNS}/${id}/status`, { status: 'paused' }, options);
    expect(status).toBe(204);
  });
});

describe('the scope of a key', () => {
  const keys = [
    { key: 'only-102', permissions: 'all' as const, accounts: ['102'] },
    { key: 'platform-a', permissions: 'all' as const, platform: 'platform_a' },
  ];

  it('refuses other accounts with a plain 403', async () => {
    const { call } = aVisit({ keys });
    const { status, body } = await call('GET', CAMPAIGNS, undefined, { key: 'only-102' });
    expect([status, body['code']]).toEqual([403, undefined]);
  });

  it('refuses them with a 404 where the service hides them', async () => {
    const { call } = aVisit({ keys, modes: { scopeStatus: 404 } });
    expect((await call('GET', CAMPAIGNS, undefined, { key: 'only-102' })).status).toBe(404);
  });

  it('shows only its own accounts', async () => {
    const { call } = aVisit({ keys });
    const { body } = await call('GET', '/api/v0/accounts', undefined, { key: 'only-102' });
    expect(body['accounts']).toMatchObject([{ id: 102 }]);
  });

  it('of a platform covers accounts that were added later', async () => {
    const { call, control } = aVisit({ keys });
    control.addAccount({ id: '999' });
    const path = '/api/v0/accounts/999/auto-message-campaigns';
    expect((await call('GET', path, undefined, { key: 'platform-a' })).status).toBe(200);
    const other = await call('GET', '/api/v0/accounts/201', undefined, { key: 'platform-a' });
    expect(other.status).toBe(403);
  });
});

describe('accounts of the other platform', () => {
  const campaigns = '/api/v0/accounts/201/auto-message-campaigns';
  const broadcasts = '/api/v0/accounts/201/priority-mass-message-campaigns';

  it('are refused for campaigns and broadcasts', async () => {
    const { call } = aVisit();
    expect((await call('GET', campaigns)).status).toBe(400);
    expect((await call('GET', broadcasts)).status).toBe(400);
  });

  it('are refused with a 403 where the service answers so', async () => {
    const { call } = aVisit({ modes: { wrongPlatformStatus: 403 } });
    expect((await call('GET', campaigns)).status).toBe(403);
  });

  it('can be read', async () => {
    const { call } = aVisit();
    expect((await call('GET', '/api/v0/accounts/201')).body).toMatchObject({
      account: { id: 201, platform: 'platform_b' },
    });
  });
});

describe('what is not there', () => {
  it.each([
    ['GET', '/api/v0/nothing'],
    ['DELETE', CAMPAIGNS],
    ['GET', '/api/v0/accounts/555'],
    ['GET', `${CAMPAIGNS}/1`],
    ['GET', `${BROADCASTS}/1`],
    ['POST', `${BROADCASTS}/1/unsend`],
  ])('%s %s answers 404', async (method, path) => {
    const { call } = aVisit();
    expect((await call(method, path)).status).toBe(404);
  });

  it('does not mix up the objects of two accounts', async () => {
    const { call, campaign } = aVisit();
    const id = campaign();
    const other = '/api/v0/accounts/102/auto-message-campaigns';
    expect((await call('GET', `${other}/${id}`)).status).toBe(404);
    expect(itemsOf(await call('GET', other))).toEqual([]);
  });
});
